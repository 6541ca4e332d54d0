// The way to the tab that hosts the evening, in place of line.js: a sealed line that
// this phone's own worker holds. The same worker is its handheld, and answers for what needs no host.
import { keepRest, whenKept } from "./keeping.js";
import { isAllowed, thisEvening } from "./room_link.js";
import { waking } from "./waking.js";
import { language, say } from "./words.js";

const SILENT_MS = 8_000, AGAIN = "?again"; // so long a broker or a host may take
const LATE = new Set(["release", "compares", "plays", "recalls", "failed"]); // what whoever has the handheld hears later
export const EVENING = thisEvening();
const wrong = EVENING === null ? "line_short" : isAllowed(EVENING.broker) ? "" : "line_policy";

export const HOME = EVENING ? `${location.host} ${EVENING.room} ${EVENING.host.slice(0, 8)}` : location.host;
export const SEAT = null;
export const PASSES = false;
export const passedOn = () => null;
// A guest has this one page; who sits down again loads it anew.
export const at = (page) => (/^[A-Z]{4}$/.test(page) ? `${location.pathname}${location.search === AGAIN ? "" : AGAIN}${location.hash}` : null);

let worker = null, begun = 0, count = 0, line = null;
const asked = new Map(), kept = [];
const LOADED = "maexchen.loaded"; // the release of a host for which this page was loaded again
// A host of another release: whoever has loaded the page again has the newest one, so the host's is older.
let own = "", other = "";
function compare(release) {
  if (!release || !own || release === own || release === other) return;
  other = release;
  if (sessionStorage.getItem(LOADED) === release) return waking.told("line_olderHost");
  waking.notice(say("line_release"), "reload", () => {
    sessionStorage.setItem(LOADED, release);
    location.reload();
  });
}
const now = { awake: false, failed: "", up: false, refused: "", open: false, since: performance.now() };

// What is wrong with the way to the host, in a line that says what to do; "" while nothing is. ``plays``: a match goes on.
export function lineTrouble(_isLost = false, plays = false) {
  const { room, broker } = EVENING ?? {}, isLate = performance.now() - now.since >= SILENT_MS;
  if (wrong) return say(wrong, { broker });
  if (now.failed) return say(now.failed);
  if ((now.open && now.up) || !now.awake) return "";
  if (now.refused) return say("line_refused", { broker, why: now.refused });
  if (!isLate) return "";
  return now.up ? say(plays ? "line_alone" : "line_noHost", { room }) : say("line_noBroker", { broker });
}
function change(what) {
  Object.assign(now, what, { since: performance.now() });
  dispatchEvent(new Event("maexchen:line"));
  setTimeout(() => dispatchEvent(new Event("maexchen:line")), SILENT_MS);
}
// Calls ``done`` each time the host begins to answer.
export const whenOpen = (done) => addEventListener("maexchen:open", done);

const HEARD = {
  // The handheld is this tab's from now on: another one that asks for it is told so.
  release(name) {
    own = name;
    waking.release(name);
    const tabs = new BroadcastChannel("maexchen.own");
    tabs.onmessage = ({ data }) => { if (data.asks && !now.failed) tabs.postMessage({ has: true }); };
  },
  progress: (share) => waking.at(begun + (1 - begun) * share),
  awake() {
    waking.over();
    keepRest();
    change({ awake: true });
  },
  failed: (why) => {
    waking.over();
    change({ failed: why || "site_notLoaded" });
  },
  broker({ up, line: why = "" }) {
    if (why) change({ refused: why });
    else if (up !== now.up) change({ up });
  },
  line(what) {
    const { open } = JSON.parse(what);
    change({ open, refused: "" });
    if (open) dispatchEvent(new Event("maexchen:open"));
  },
  answer(what) {
    const { number, status, body, release } = JSON.parse(what);
    compare(release);
    asked.get(number)?.(new Response(body, { status }));
    asked.delete(number);
  },
  opened: (what) => line?.told(JSON.parse(what), "open"),
  heard: (what) => line?.told(JSON.parse(what), "message"),
  closed: (what) => line?.told(JSON.parse(what), "closed"),
};
const waiting = [];
function post(kind, what) {
  if (worker) worker.postMessage({ kind, what });
  else waiting.push({ kind, what });
}
async function begin() {
  if (wrong) return waking.over();
  if (typeof WebAssembly !== "object") return HEARD.failed("site_noWasm");
  begun = await whenKept();
  waking.at(begun);
  const { room, host, broker, others } = EVENING;
  worker = new Worker(new URL("../own_worker.js", import.meta.url), { type: "module", name: JSON.stringify({ language, room, host, brokers: [broker, ...others], isKept: Boolean(navigator.serviceWorker?.controller) }) });
  worker.addEventListener("error", () => HEARD.failed(""));
  worker.addEventListener("message", ({ data: { kind, what } }) => {
    HEARD[kind]?.(what);
    if (LATE.has(kind) && !worker.onmessage) kept.push({ kind, what });
  });
  for (const message of waiting) worker.postMessage(message);
  return null;
}

// The worker with the handheld: the one that has the line. ``secret``: of the guest's place.
export function ownWorker({ secret }) {
  post("secret", secret);
  setTimeout(() => { for (const data of kept.splice(0)) worker.onmessage?.({ data }); });
  return worker;
}

class RoomLine {
  constructor(heard) {
    this.heard = heard;
    this.number = count++;
    line = this;
    post("open", this.number);
  }
  send(text) {
    post("say", { line: this.number, text });
  }
  cut() {
    if (line !== this) return;
    line = null;
    post("cut", this.number);
  }
  told({ line: number, text, code, reason }, kind) {
    if (number !== this.number) return;
    if (kind === "open") this.heard.open();
    else if (kind === "message") this.heard.message(text);
    else {
      line = null;
      this.heard.closed(code, reason);
    }
  }
}
export { RoomLine as Line };

// What the host answers, or this phone itself, as ``fetch`` has it; 503 if the line was lost before the answer.
export function ask(path, { body = "" } = {}) {
  const number = count++;
  return new Promise((done) => {
    asked.set(number, done);
    post("ask", { number, path, body });
  });
}
export async function addressOf(path) {
  const text = await (await ask(path)).text();
  return URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
}
begin();
