// Plays class on a site in Firefox, into the middle of a match ("begin"), or opens the site again.
// Prints what the page shows then, and whatever went wrong, as JSON.
// journey.mjs <folder of npm> <Firefox> <its profile> <address> <begin | return>
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { setTimeout as pass } from "node:timers/promises";

const [npm, program, profile, address, what] = process.argv.slice(2);
const { default: puppeteer } = await import(pathToFileURL(createRequire(`${npm}/`).resolve("puppeteer-core")));
const PATIENCE_MS = 100_000, LOOKS_MS = 60, MATCH_MS = 110_000, PAUSE_MS = 600, SPEED = "50";
const LIFTED_MS = 1_500, HELD_MS = { hold: 1_200, shake: 150, tap: 150, open: 150, cover: 150 };

const browser = await puppeteer.launch({
  browser: "firefox", executablePath: program, userDataDir: profile, timeout: PATIENCE_MS,
  extraPrefsFirefox: { "intl.accept_languages": "en-US, en", "ui.prefersReducedMotion": 1 }, defaultViewport: { width: 1280, height: 900 },
});
const page = await browser.newPage();
page.setDefaultTimeout(PATIENCE_MS);
const complaints = [], hosts = new Set(), taught = new Set();
page.on("console", (message) => { if (["error", "warn"].includes(message.type())) complaints.push(message.text()); });
page.on("pageerror", (error) => complaints.push(String(error)));
page.on("request", (request) => hosts.add(new URL(request.url()).host));

// What the page shows of the match.
const shown = () => page.evaluate(() => ({
  says: document.querySelector(".mine > p.hidden")?.textContent ?? "",
  scores: [...document.querySelectorAll(".score")].map((each) => each.title),
  game: document.getElementById("game").textContent,
  speed: document.getElementById("speed").value,
  over: document.querySelector(".end button.again") !== null,
  lesson: document.querySelector(".lesson:not([hidden]) b")?.textContent.replace(/^\d+ /, ""),
  due: [...document.querySelectorAll(".ways .due button")].map((each) => each.dataset.gesture),
}));
async function until(fits, patience_ms = PATIENCE_MS) {
  for (const ends = Date.now() + patience_ms; ;) {
    const { lesson, ...now } = await shown();
    if (lesson) taught.add(lesson);
    if (fits(now)) return now;
    if (Date.now() > ends) throw new Error(`in vain: ${fits} at ${JSON.stringify(now)}`);
    await pass(LOOKS_MS);
  }
}
// Presses what is lit beside the display, for as long as the gesture lasts; returns what the display says then.
async function press(gesture) {
  const box = await (await page.$(`.ways .due [data-gesture=${gesture}]`))?.boundingBox();
  if (!box) return ""; // the table was faster
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  if (gesture === "lift") await until(({ says }) => says.startsWith("Dice"), LIFTED_MS).catch(() => {}); // light just after a shake counts for nothing
  else await pass(HELD_MS[gesture]);
  const { says } = await shown();
  await page.mouse.up();
  return says;
}
const looksAtDice = ({ says }, seen) => says.startsWith("Throw") && seen.startsWith("Dice");
const MOST = "Choice: 21";
// Does what the page asks for until it shows what is wanted. A cup that is offered is doubted, what was thrown is
// looked at once, and the most there is is announced: hardly anybody believes that, so matches are short.
async function play(wanted) {
  let seen = "";
  for (const ends = Date.now() + MATCH_MS; Date.now() < ends;) {
    const now = await until(({ over, due }) => over || due.length, MATCH_MS);
    if (wanted(now, seen)) return { ...now, seen };
    if (looksAtDice(now, seen)) {
      await page.click(".ladder li:last-child button");
      await until(({ says, due }) => says.includes(MOST) || !due.length);
      seen = "";
    } else seen = await press([now.says.includes(MOST) ? "tap" : "lift", "tap", "shake"].find((each) => now.due.includes(each)) ?? now.due[0]);
    const before = JSON.stringify(now);
    await until((then) => JSON.stringify(then) !== before, PAUSE_MS).catch(() => {});
  }
  throw new Error("the match takes too long");
}
const stored = () => page.evaluate(async () => {
  const { channelOf } = await import(new URL("static/channel.js", location.href));
  const channel = new BroadcastChannel(channelOf("")), from = "journey";
  return new Promise((done) => {
    channel.onmessage = ({ data: { to, kind } }) => { if (to === from && kind === "stored") done(); };
    channel.postMessage({ to: "table", from, kind: "store" });
  });
});

await page.goto(address);
await page.waitForSelector("#waking", { hidden: true });
let state;
if (what !== "return") {
  await until(({ says }) => says !== "");
  await page.select("#speed", SPEED);
  state = await play((now, seen) => looksAtDice(now, seen) && new Set(now.scores).size > 1);
  await stored();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
} else {
  state = await until(({ due, speed }) => due.includes("lift") && speed === SPEED); // the page asks for that once it is welcome
  for (let tries = 6; tries && !looksAtDice(state, state.seen ?? ""); tries--) {
    await pass(PAUSE_MS);
    state.seen = await press("lift");
  }
}
console.log(JSON.stringify({ state, taught: [...taught], complaints, hosts: [...hosts] }));
await browser.close();
