// The way to the table of this browser; a guest's page and a friend's have ways of their own in place of this file.
// One page has the table in a worker; it is the first that takes the lock. All others reach it by a channel.
import { channelOf, pageAt } from "./channel.js";
import { keepRest, waking, whenKept } from "./waking.js";
import { say } from "./words.js";

// A page that shows a file has a worker of its own, so no table waits for that.
const TABLE = /^[\w-]{1,40}$/.exec(new URLSearchParams(location.search).get("table") ?? "")?.[0] ?? ""; // an embedded one has a name
const RELEASE = "%RELEASE%", DROPPED = "maexchen.dropped", KEEPS_MS = 5_000, ASKS_MS = 5_000, STOPPED = 4400;
const me = `${Date.now()}-${Math.random()}`, FILE = ["#dropped", "#session"].includes(location.hash);
const CHANNEL = channelOf(FILE ? me : TABLE);
let channel;
try { channel = new BroadcastChannel(CHANNEL); } catch (error) { // site data are refused
  waking.failed("own_cannot");
  throw error;
}
const lines = new Map(), asked = new Map();
let count = 0, begun = 0, reached = null; // how much of waking up was before the worker; which worker has the table
let worker = null, works = false; // that of this page; whether the page waits for what it does to a file
const post = (from, kind, what) => channel.postMessage({ to: "table", from, kind, what });

// What is kept of a table here goes by its name. Who plays has the first seat.
export const HOME = TABLE ? `${location.host} ${TABLE}` : location.host;
export const SEAT = 0;
export function at(page) {
  const address = pageAt(page);
  if (TABLE) address.searchParams.set("table", TABLE);
  return address.href;
}

// Several people pass the page of a seat on. A match of so many people, or of these names, begins by its address.
export function passedOn({ game, options, bots }, people, names = []) {
  const setup = { game, ...options, people, players: people + bots.length, bots: bots.join(), ...(names.length && { names: names.join() }) };
  return `${at(people > 1 ? "seat" : "")}#${new URLSearchParams(setup)}`;
}

// This table is in the browser itself: nothing is wrong on the way to it, and no handheld is elsewhere.
export const lineTrouble = (isLost) => (isLost ? say("gone") : "");
export const hostIsAway = () => false;
export const ownWorker = null;

// A line: the table opens it once it is awake.
class ChannelLine {
  constructor(heard) {
    this.heard = heard;
    this.name = `${me}-${count++}`;
    lines.set(this.name, this);
    if (reached) queueMicrotask(() => this.begin()); // not before whoever made it has it
    else post(this.name, "ready?");
  }
  begin() {
    if (!lines.has(this.name)) return;
    post(this.name, "open");
    this.heard.open();
  }
  send(text) {
    post(this.name, "text", text);
  }
  cut() {
    if (lines.delete(this.name)) post(this.name, "cut");
  }
  told(kind, what) {
    if (kind === "text") this.heard.message(what);
    else if (kind === "panel") this.heard.panel(what);
    else if (kind === "told") waking.told(...what);
    else if (kind === "ended") {
      lines.delete(this.name);
      this.heard.closed(...what);
    }
  }
}
export { ChannelLine as Line };

// What the table answers, as ``fetch`` has it. It is asked once it is awake. ``body``: the text of a file.
export function ask(path, { body = null } = {}) {
  const number = count++;
  return new Promise((done) => {
    const message = { number, path, body };
    asked.set(number, { message, done });
    if (reached) request(message);
    else post(me, "ready?");
  });
}
function request(message) {
  if (works === null) return answered({ number: message.number, status: 400, type: "text/plain", body: say("site_stopped") });
  if (FILE && message.path.startsWith("/judged.json")) showWork(null);
  return post(me, "ask", message);
}
function answered({ number, status, type, body }) {
  asked.get(number)?.done(new Response(body, { status, headers: { "Content-Type": type } }));
  asked.delete(number);
}
// What is done to a file may take long: how far it is, and a button that ends it.
function showWork(share) {
  works = true;
  waking.works(share, () => {
    worker.terminate();
    works = null;
    waking.over();
    for (const { message } of asked.values()) request(message);
    for (const line of [...lines.values()]) line.told("ended", [STOPPED, say("site_stopped")]);
  });
}
function endWork() {
  if (!works) return;
  works = false;
  waking.over();
}
// Leads to a page that shows the text of a file: ``judged#dropped`` or ``bench#session``.
export function show(text, [page, hash]) {
  sessionStorage.setItem(DROPPED, text);
  const there = `${at(page)}#${hash}`;
  if (location.href === there) location.reload(); // another file on the same page
  else location.assign(there);
}

// Before a page loads itself anew, all that was done is stored. A table that does not answer holds nobody up.
let stored = () => {};
self.keepFirst = () => new Promise((done) => {
  if (!reached || FILE) return done();
  stored = done;
  setTimeout(done, KEEPS_MS);
  return post(me, "store");
});

channel.onmessage = ({ data: { to, kind, what, ready, progress, share, trouble, detail } }) => {
  if (works === null) return; // the last words of a worker that was stopped
  if (to !== "all") endWork();
  if (to === me && kind === "answer") answered(what);
  else if (to === me && kind === "stored") stored();
  else if (to !== "all") lines.get(to)?.told(kind, what);
  else if (progress) waking.at(begun + (1 - begun) * progress); // a worker begins; where another one was, its page is gone
  else if (share !== undefined) showWork(share);
  else if (trouble) waking.failed(trouble, detail);
  else if (ready && ready !== reached) {
    waking.over();
    keepRest();
    if (reached) for (const line of [...lines.values()]) { // another worker has it now
      line.cut(); // what was said to the last one may have come to this one, too
      line.told("ended", [1006, ""]);
    }
    reached = ready;
    for (const line of lines.values()) line.begin();
    for (const { message } of asked.values()) request(message);
  }
};

// This page has the table from now on.
async function host() {
  if (typeof WebAssembly !== "object") return waking.failed("site_noWasm");
  begun = await whenKept();
  const name = JSON.stringify([location.hash.slice(1), document.documentElement.lang, RELEASE, TABLE, FILE ? CHANNEL : "", Boolean(navigator.serviceWorker?.controller)]);
  worker = new Worker(new URL("../worker.js", import.meta.url), { type: "module", name });
  worker.onerror = () => waking.failed("site_notLoaded");
  if (FILE) return worker.postMessage(sessionStorage.getItem(DROPPED) ?? "");
  const store = () => post(me, "store");
  addEventListener("pagehide", store);
  return document.addEventListener("visibilitychange", store);
}
addEventListener("pagehide", () => { for (const name of lines.keys()) post(name, "cut"); });
addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); }); // its lines are cut, its worker may be gone
setInterval(() => { if (!reached) post(me, "ready?"); }, ASKS_MS);
if (navigator.locks && !FILE) navigator.locks.request(CHANNEL, () => { host(); return new Promise(() => {}); });
else host();
waking.release(RELEASE);
