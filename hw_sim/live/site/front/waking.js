// Before the table is there: a handheld that wakes up, how far it is, and what went wrong in a line.
import { button, node } from "./nodes.js";
import { dress, say } from "./words.js";

const room = document.getElementById("waking"), bar = room.querySelector("progress"), told = room.querySelector("p");
const notices = document.getElementById("told-by-site");
const SILENT_MS = 20_000; // then a line says what may help
let due = null, ends = null;

// A line that stays until it is read; ``word`` is that of a button, ``done`` what it does. ``more`` has others.
function notice(text, word = "close", done = () => {}, ...more) {
  const line = node("p", "", text), end = (act) => () => {
    line.remove();
    act();
  };
  for (const [label, act] of [[word, done], ...more]) line.append(" ", button("", end(act), say(label)));
  if (![...notices.children].some((each) => each.textContent === line.textContent)) notices.append(line);
}

function wake(share) {
  clearTimeout(due);
  due = setTimeout(() => {
    told.textContent = self.tellWrong?.() ? "" : say("site_silent"); // Python is silent about a half of itself
    self.mend?.({ checks: true });
  }, SILENT_MS);
  told.textContent = say("wakingUp");
  bar.value = share;
  bar.hidden = room.hidden = false;
}
const stop = button("", () => ends(), say("site_stop"));
stop.hidden = true;
room.append(stop);
dress("", room);
wake(0);
export const waking = {
  at: wake,
  over() {
    clearTimeout(due);
    self.isWell?.();
    room.hidden = stop.hidden = true;
  },
  // A file is played again or judged: how far that is, if it is known; ``end`` stops it.
  works(share, end) {
    clearTimeout(due);
    told.textContent = say("site_works");
    if (share === null) bar.removeAttribute("value");
    else bar.value = share;
    bar.hidden = room.hidden = stop.hidden = false;
    ends = end;
  },
  // Says why there is no table, or what is wrong with the one that is there.
  async failed(why, detail = "") {
    let text = [say(why), detail].filter(Boolean).join(" ");
    if (why === "site_notLoaded" && !room.hidden) {
      await self.mend?.();
      if (self.tellWrong?.()) text = "";
    }
    if (room.hidden) notice(text);
    else {
      clearTimeout(due);
      bar.hidden = true;
      told.textContent = text;
    }
  },
  told(why, detail) { notice([say(why), detail].filter(Boolean).join(" ")); },
  notice,
  release(name) { room.dataset.release = document.querySelector("h1").title = name; },
};

// The service worker keeps the site for use without a network, and offers a newer release.
const KEPT = 0.5, keeper = navigator.serviceWorker; // the share of waking up that this is, in a first visit
async function keep() {
  let had = keeper.controller !== null;
  const taken = new Promise((done) => keeper.addEventListener("controllerchange", () => {
    if (had) self.keepFirst().then(() => location.reload());
    had = true; // the first one came with this page
    done(KEPT);
  }));
  const kept = await keeper.register(new URL("../sw.js", import.meta.url), { updateViaCache: "none" });
  const offer = () => waking.notice(say("newVersion"), "reload", () => kept.waiting?.postMessage("replace")); // a still newer one, by then
  if (kept.waiting && had) offer();
  const look = () => { if (!document.hidden) kept.update().catch(() => {}); };
  for (const name of ["focus", "online", "visibilitychange"]) addEventListener(name, look);
  // A page that stays open looks as a match ends, or as somebody comes, who may have a newer release; never in a match.
  let guests = 0;
  addEventListener("maexchen:news", ({ detail: { over, playing, places } }) => {
    const before = guests;
    guests = places?.filter(({ name }) => name).length ?? guests;
    if (over || (!playing && guests > before)) look();
  });
  kept.addEventListener("updatefound", () => {
    const worker = kept.installing;
    worker.addEventListener("statechange", () => { if (worker.state === "installed" && had) offer(); });
  });
  const first = !had && !kept.active && (kept.installing ?? kept.waiting);
  if (!first) return 0;
  const failed = new Promise((done) => first.addEventListener("statechange", () => { if (first.state === "redundant") done(0); }));
  return Promise.race([taken, failed]);
}
const isKept = keeper?.register ? keep().catch(() => 0) : Promise.resolve(0); // without it the site wants a network, and no more

// In a first visit all files are kept before the table begins. So each is loaded once, and the browser keeps what it
// compiles of the kept ones for the next visit. Returns the share of waking up that is then over.
export async function whenKept() {
  const hear = ({ data }) => { if (data.kept) waking.at(KEPT * data.kept); };
  keeper?.addEventListener("message", hear);
  const share = await isKept;
  keeper?.removeEventListener("message", hear);
  return share;
}
// Whether the host of this site has a newer release, which is offered here; undefined where nobody can tell.
export async function isNewer() {
  const kept = await keeper?.getRegistration().catch(() => null), found = await kept?.update().catch(() => null);
  return found ? Boolean(found.installing ?? found.waiting) : undefined;
}
// Once a table is there, the rest is kept, too; or a line says why nothing is.
export function keepRest() {
  if (keeper?.controller) keeper.controller.postMessage("late");
  else if (self.tellWrong) self.tellWrong();
  else waking.told("site_wrongFile", "static/first.js"); // what tells of all others
}

// A browser is asked once not to take the match away, when it has begun.
const ASKED = "maexchen.persists";
addEventListener("maexchen:news", ({ detail }) => {
  if (detail.is !== "heard" || !detail.lines.length || parent !== window || localStorage.getItem(ASKED)) return;
  localStorage.setItem(ASKED, "1");
  navigator.storage?.persist?.().catch(() => {});
});
