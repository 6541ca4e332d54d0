// A guest in Firefox: opens a link of an evening, sits down, and plays what is lit until the game is over. Prints each
// step in a line, and at the end whatever went wrong.
// guest.mjs <folder of npm> <Firefox> <its profile> <link> <name>
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { setTimeout as pass } from "node:timers/promises";

const [npm, program, profile, link, name] = process.argv.slice(2);
const { default: puppeteer } = await import(pathToFileURL(createRequire(`${npm}/`).resolve("puppeteer-core")));
const PATIENCE_MS = 100_000, LOOKS_MS = 100, HELD_MS = { shake: 1_500, lift: 1_500, hold: 1_300 }, SHORT_MS = 60;

const browser = await puppeteer.launch({
  browser: "firefox", executablePath: program, userDataDir: profile,
  extraPrefsFirefox: { "intl.accept_languages": "en-US, en", "ui.prefersReducedMotion": 1 }, defaultViewport: { width: 390, height: 844 },
});
const page = await browser.newPage(), complaints = [];
page.setDefaultTimeout(PATIENCE_MS);
page.on("console", (message) => { if (message.type() === "error") complaints.push(message.text()); });
page.on("pageerror", (error) => complaints.push(String(error)));
await page.goto(link);
await page.waitForSelector("#faces [aria-pressed=true]");
await page.type("#name", name);
await page.click("#form button.again");
await page.waitForSelector("body.seat-page #lobby .places");
console.log("sits");
await page.waitForSelector("#hand .device");
console.log("plays");
const lit = () => page.evaluate(() => ({
  over: document.querySelector("#hand .end button.again, #hand .match-card") !== null,
  due: [...document.querySelectorAll(".guide .due button[data-gesture]")].map((each) => each.dataset.gesture),
}));
for (let state = await lit(); !state.over; state = await lit()) {
  const gesture = ["tap", "hold", "shake", "lift", "open", "cover"].find((each) => state.due.includes(each));
  const box = gesture && await (await page.$(`.guide .due button[data-gesture=${gesture}]`))?.boundingBox();
  if (box) {
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await pass(HELD_MS[gesture] ?? SHORT_MS);
    await page.mouse.up();
  }
  await pass(LOOKS_MS);
}
console.log("over");
console.log(JSON.stringify(complaints));
await browser.close();
