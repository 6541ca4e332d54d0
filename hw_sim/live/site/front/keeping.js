// The service worker keeps the site for use without a network, and offers a newer release.
import { say } from "./words.js";
import { waking } from "./waking.js";

const KEPT = 0.5, keeper = navigator.serviceWorker; // the share of waking up that this is, in a first visit
function offerNew(worker) {
  waking.notice(say("newVersion"), "reload", () => worker.postMessage("replace"));
}
async function keep() {
  let had = keeper.controller !== null;
  const taken = new Promise((done) => keeper.addEventListener("controllerchange", () => {
    if (had) self.keepFirst().then(() => location.reload());
    had = true; // the first one came with this page
    done(KEPT);
  }));
  const kept = await keeper.register(new URL("../sw.js", import.meta.url), { updateViaCache: "none" });
  if (kept.waiting && had) offerNew(kept.waiting);
  const look = () => { if (!document.hidden) kept.update().catch(() => {}); };
  document.addEventListener("visibilitychange", look);
  for (const name of ["focus", "online"]) addEventListener(name, look);
  kept.addEventListener("updatefound", () => {
    const worker = kept.installing;
    worker.addEventListener("statechange", () => { if (worker.state === "installed" && had) offerNew(worker); });
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
