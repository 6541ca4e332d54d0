// The way to a table of friends, in place of line.js: this browser's own handheld in a
// worker, in a room at a broker that the link names. Nothing is dialled before begin().
import { pageAt } from "./channel.js";
import { end, post, start } from "./own_link.js";
import { brokersOf, isAddress, isAllowed } from "./room_link.js";
import { waking } from "./waking.js";
import { say } from "./words.js";

export { ask } from "./own_link.js";

const RELEASE = "%RELEASE%", SILENT_MS = 8_000, LOST_MS = 2_000, TABS = "maexchen.own";
const KEPT = "maexchen.friends", CODE = /^\d{6}$/, KEY = /^[\w-]{22}$/;
export const HOME = `${location.host} friends`, SEAT = 0;
export const passedOn = () => null;
export const at = (page) => pageAt(page).href;

const hexOf = (key) => Array.from(atob(key.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0).toString(16).padStart(2, "0")).join("");
// The room of a link; null if the link was cut short, undefined without one. The key comes last: a cut at any length takes of it.
export function roomOf(hash) {
  const parts = new URLSearchParams(hash), [room, key, broker, release] = ["room", "key", "broker", "v"].map((name) => parts.get(name) ?? "");
  const others = parts.getAll("broker").slice(1).filter(isAllowed);
  if (!hash || hash.startsWith("lang=")) return undefined;
  return CODE.test(room) && KEY.test(key) && isAddress(broker) ? { room, key, broker, others, release } : null;
}
export const linkOf = ({ room, key, ...there }) => `${at("friend")}#${new URLSearchParams([...brokersOf(there), ["v", RELEASE], ["room", room], ["key", key]])}`;
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
let line = null;
const HEARD = {
  awake() {
    now.since = performance.now();
    change({ awake: true });
  },
  failed: (why) => change({ failed: why || "site_notLoaded" }),
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
};
// Invites, or comes. The worker is the handheld of this room alone: what it keeps goes by the room.
export function begin({ room, key, broker, others }, { name, invites = null }) {
  const asks = () => (invites ? post("invite", name, room, hexOf(key), invites.game, JSON.stringify(invites.options), invites.players, true) : post("come", name, room, hexOf(key)));
  if (now.begun) return asks();
  if (!isAllowed(broker)) return change({ failed: "friend_policy" });
  change({ begun: true, code: room, broker });
  start(`${TABS} ${room}`, { brokers: [broker, ...others], friends: room }, HEARD);
  return asks(); // it waits for the worker
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
    if (does !== "alive") post("take", text); // a handheld of its own never sleeps
  }
  cut() {}
  #leave() {
    end();
    keepRoom({ room: now.code }, null);
    this.heard.message(JSON.stringify({ is: "left" }));
    change({ plays: false, awake: false, left: true });
  }
}
export { OwnLine as Line };

export const ownWorker = null, hostIsAway = () => false;
