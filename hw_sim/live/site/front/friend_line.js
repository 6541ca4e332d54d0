// The way to a table of friends, in place of line.js: this browser's own handheld in a
// worker, in a room at a broker that the link names. Nothing is dialled before begin().
import { keepRest, whenKept } from "./keeping.js";
import { brokersOf, isAllowed } from "./room_link.js";
import { waking } from "./waking.js";
import { language, say } from "./words.js";

const RELEASE = "%RELEASE%", SILENT_MS = 8_000, LOST_MS = 2_000, TABS = "maexchen.own";
const KEPT = "maexchen.friends", CODE = /^\d{6}$/, KEY = /^[\w-]{22}$/;
export const HOME = `${location.host} friends`, SEAT = 0, PASSES = false;
export const passedOn = () => null;
export const at = (page) => new URL(page.startsWith("?") || !page ? `./${page}` : `${page.split("/")[0]}.html`, new URL(".", location.href)).href;

const hexOf = (key) => Array.from(atob(key.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0).toString(16).padStart(2, "0")).join("");
const isAddress = (broker) => /^wss?:$/.test(URL.parse?.(broker)?.protocol ?? /^wss?:(?=\/\/.)/.exec(broker)?.[0] ?? "");
// The room of a link; null if the link was cut short, undefined without one.
export function roomOf(hash) {
  const parts = new URLSearchParams(hash), [room, key, broker, release] = ["room", "key", "broker", "v"].map((name) => parts.get(name) ?? "");
  const others = parts.getAll("broker").slice(1).filter(isAllowed);
  if (!room && !key && !broker) return undefined;
  return CODE.test(room) && KEY.test(key) && isAddress(broker) ? { room, key, broker, others, release } : null;
}
export const linkOf = ({ room, key, ...there }) => `${at("friend")}#${new URLSearchParams([["room", room], ["key", key], ...brokersOf(there), ["v", RELEASE]])}`;
export const isOtherRelease = ({ release }) => release !== "" && release !== RELEASE;
export function newRoom(broker, others) {
  const chance = crypto.getRandomValues(new Uint8Array(22)), key = btoa(String.fromCharCode(...chance.subarray(6)));
  return { room: Array.from(chance.subarray(0, 6), (each) => each % 10).join(""), key: key.replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, ""), broker, others, release: "" };
}
waking.over(); // nothing wakes up before somebody invites or comes
// What this browser keeps of each room: the name, and what whoever invited chose.
const rooms = () => JSON.parse(localStorage.getItem(KEPT) ?? "{}");
export const keptOf = ({ room }) => rooms()[room] ?? null;
export const keepRoom = ({ room }, what) => localStorage.setItem(KEPT, JSON.stringify({ ...rooms(), [room]: what ?? undefined }));

// How things stand: ``room`` as the worker tells it (`RoomOfFriends`), ``why`` a name is refused.
export const now = { begun: false, awake: false, failed: "", up: false, refused: "", why: "", line: "", room: null, plays: false, wants: false, left: false, since: 0 };
function change(what) {
  if ("up" in what && what.up !== now.up) now.since = performance.now();
  Object.assign(now, what);
  dispatchEvent(new Event("maexchen:friends"));
  tellTrouble();
}
// What is wrong with the way to the others, in a line that says what to do; "" while nothing is.
export function lineTrouble() {
  const broker = now.broker ?? "", silent = performance.now() - now.since;
  if (now.failed) return say(now.failed);
  if (now.refused) return say("friend_refuses", { broker, why: now.refused });
  if (!now.awake || now.up) return "";
  if (now.plays) return silent > LOST_MS ? say("friend_lost", { broker }) : "";
  return silent > SILENT_MS ? say("friend_noBroker", { broker }) : "";
}
// Who plays hears it on the line above the handheld, as well as who wants another match.
let told = null;
function tellTrouble() {
  const { names = [], wants = [] } = now.room ?? {}, others = names.filter((_, seat) => !wants.includes(seat));
  const waits = wants.length && now.plays ? say(now.wants ? "friend_waitsFor" : "friend_want", { names: (now.wants ? others : wants.map((seat) => names[seat])).join(", ") }) : "";
  const trouble = lineTrouble() || waits || null;
  if (!now.plays || trouble === told) return;
  told = trouble;
  line?.heard.message(JSON.stringify({ is: "state", seats: {}, trouble }));
}
setInterval(() => { if (now.awake) change({}); }, 1_000);

const wordsOf = (line) => line.replace(/^broker \S+: /, "");
let worker = null, line = null, count = 0;
const asked = new Map();
const post = (kind, what) => worker?.postMessage({ kind, what });
const HEARD = {
  release: () => {
    const tabs = new BroadcastChannel(`${TABS} ${now.code}`);
    tabs.onmessage = ({ data }) => { if (data.asks && !now.failed) tabs.postMessage({ has: true }); };
  },
  progress: (share) => waking.at(share),
  awake() {
    waking.over();
    keepRest();
    now.since = performance.now();
    change({ awake: true });
  },
  failed(why) {
    waking.over();
    change({ failed: why || "site_notLoaded" });
  },
  broker({ up, in: isIn = false, line: why = "" }) {
    change({ up, ...(why ? { refused: wordsOf(why) } : isIn ? { refused: "" } : {}) });
  },
  refused(what) {
    const { why, line: told } = JSON.parse(what);
    change({ why: why || "plan", line: told });
  },
  friends: (what) => change({ room: JSON.parse(what), why: "" }),
  plays() {
    told = null;
    change({ plays: true, wants: false });
  },
  text: (text) => line?.heard.message(text),
  panel: (bytes) => line?.heard.panel(bytes),
  answer(what) {
    const { number, status, body } = JSON.parse(what);
    asked.get(number)?.(new Response(body, { status }));
    asked.delete(number);
  },
};
// Invites, or comes. The worker is the handheld of this room alone: what it keeps goes by the room.
export async function begin({ room, key, broker, others }, { name, invites = null }) {
  const what = { name, code: room, key: hexOf(key), ...invites, stands: true }, kind = invites ? "invite" : "come";
  if (worker) return post(kind, what);
  if (!isAllowed(broker)) return change({ failed: "friend_policy" });
  if (typeof WebAssembly !== "object" || typeof indexedDB !== "object") return change({ failed: "site_noWasm" });
  change({ begun: true, code: room, broker });
  waking.at(await whenKept());
  worker = new Worker(new URL("../own_worker.js", import.meta.url), { type: "module", name: JSON.stringify({ language, brokers: [broker, ...others], friends: room, isKept: Boolean(navigator.serviceWorker?.controller) }) });
  worker.onerror = () => HEARD.failed("");
  worker.onmessage = ({ data: { kind: told, what: news } }) => HEARD[told]?.(news);
  return post(kind, what);
}
// Why a broker does not let this page in: its words, or null if it does not answer; "" if it does let it in.
export async function refusalOf(broker) {
  const { dial } = await import("../broker.js").catch(() => ({}));
  if (!dial) return null;
  return new Promise((done) => {
    const end = (why) => { done(why); stream.close(); };
    const stream = dial(broker, {
      opened: () => stream.say(JSON.stringify({ type: "attends", topics: [], kept: [], will: null, user: "", password: "" })),
      attended: () => end(""),
      heard: (text) => end(wordsOf(JSON.parse(text).line)),
      ended: () => done(null),
    });
  });
}

class OwnLine {
  constructor(heard) {
    this.heard = heard;
    line = this;
    queueMicrotask(() => heard.open());
  }
  send(text) {
    const { do: does } = JSON.parse(text);
    if (does === "leave") return this.#leave();
    if (does === "again") change({ wants: true });
    if (does === "alive" && !now.plays) return this.heard.message(JSON.stringify({ is: "alive" })); // nothing is played yet
    return post("text", text);
  }
  cut() {}
  #leave() {
    worker?.terminate();
    worker = null;
    keepRoom({ room: now.code }, null);
    this.heard.message(JSON.stringify({ is: "left" }));
    change({ plays: false, awake: false, left: true });
  }
}
export { OwnLine as Line };

// What the handheld itself answers, as ``fetch`` has it.
export function ask(path) {
  const number = count++;
  return new Promise((done) => {
    asked.set(number, done);
    post("ask", { number, path, body: "" });
  });
}
export async function addressOf(path) {
  return URL.createObjectURL(new Blob([await (await ask(path)).text()], { type: "image/svg+xml" }));
}
export const ownWorker = null;
