// The way to the tab that hosts the evening, in place of line.js: a sealed line that
// this phone's own worker holds. The same worker is its handheld, and answers for what needs no host.
import { end, nextNumber, post, start } from "./own_link.js";
import { isAllowed, thisEvening } from "./room_link.js";
import { isNewer, waking } from "./waking.js";
import { say } from "./words.js";

export { ask } from "./own_link.js";

const SILENT_MS = 8_000, AGAIN = "?again"; // so long a broker or a host may take
export const EVENING = thisEvening();
const wrong = EVENING === null ? "line_short" : isAllowed(EVENING.broker) ? "" : "line_policy";

export const HOME = EVENING ? `${location.host} ${EVENING.room} ${EVENING.host.slice(0, 8)}` : location.host;
export const SEAT = null;
export const passedOn = () => null;
// A guest has this one page; who sits down again loads it anew.
export const at = (page) => (/^[A-Z]{4}$/.test(page) ? `${location.pathname}${location.search === AGAIN ? "" : AGAIN}${location.hash}` : null);

let line = null, hear = null; // what hears of the handheld
const kept = []; // what it will hear
const LOADED = "maexchen.loaded"; // the release of a host for which this page was loaded again
// A host of another release: whoever has loaded the page again, or finds no newer release, has the newest one, so the host's is older.
let own = "", other = "";
async function compare(release) {
  if (!release || !own || release === own || release === other) return;
  other = release;
  const newer = await isNewer();
  if (newer) return; // a line offers it
  if (newer === false || sessionStorage.getItem(LOADED) === release) return waking.told("line_olderHost");
  waking.notice(say("line_release"), "reload", () => {
    sessionStorage.setItem(LOADED, release);
    location.reload();
  });
}
const now = { awake: false, failed: "", up: false, refused: "", open: false, since: performance.now() };

const isLate = () => performance.now() - now.since >= SILENT_MS;
// Whether the broker answers, and the host does not.
export const hostIsAway = () => now.awake && now.up && !now.open && !now.failed && !now.refused && isLate();
// What is wrong with the way to the host, in a line that says what to do; "" while nothing is. ``plays``: a match goes on.
export function lineTrouble(_isLost = false, plays = false) {
  const { room, broker } = EVENING ?? {};
  if (wrong) return say(wrong, { broker });
  if (now.failed) return say(now.failed);
  if ((now.open && now.up) || !now.awake) return "";
  if (now.refused) return say("line_refused", { broker, why: now.refused });
  if (hostIsAway()) return say(plays ? "line_alone" : "line_noHost", { room });
  return isLate() ? say("line_noBroker", { broker }) : "";
}
function change(what) {
  Object.assign(now, what, { since: performance.now() });
  dispatchEvent(new Event("maexchen:line"));
  setTimeout(() => dispatchEvent(new Event("maexchen:line")), SILENT_MS);
}
// Calls ``done`` each time the host begins to answer.
export const whenOpen = (done) => addEventListener("maexchen:open", done);

const HEARD = {
  release(name) {
    own = name;
    waking.release(name);
    toHandheld(name, "release");
  },
  awake: () => change({ awake: true }),
  failed(why) {
    change({ failed: why || "site_notLoaded" });
    toHandheld(why, "failed");
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
  answered: compare,
  others: toHandheld,
  opened: (what) => line?.told(JSON.parse(what), "open"),
  heard: (what) => line?.told(JSON.parse(what), "message"),
  closed: (what) => line?.told(JSON.parse(what), "closed"),
};
function toHandheld(what, kind) {
  if (hear) hear(kind, what);
  else if (kind !== "text" && kind !== "panel") kept.push([kind, what]); // it shows them anew
}
function begin() {
  if (wrong) return waking.over();
  const { room, host, broker, others } = EVENING;
  return start("maexchen.own", { room, host, brokers: [broker, ...others] }, HEARD);
}

// The handheld itself. ``secret``: of the guest's place; ``heard``: gets the kind and the content of what is told of it.
export function ownWorker(secret, heard) {
  post("let_in", secret);
  setTimeout(() => {
    hear = heard;
    for (const told of kept.splice(0)) hear(...told);
  });
  return { post, end };
}

class RoomLine {
  constructor(heard) {
    this.heard = heard;
    this.number = nextNumber();
    line = this;
    post("open_line", this.number);
  }
  send(text) {
    post("say_on_line", this.number, text);
  }
  cut() {
    if (line !== this) return;
    line = null;
    post("cut_line", this.number);
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

begin();
