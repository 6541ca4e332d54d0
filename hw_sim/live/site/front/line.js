// The way to the table of this browser, in place of the file of this name that knows a server.
// One page has the table in a worker; it is the first that takes the lock. All others reach it by a channel.
import { channelOf } from "./channel.js";
import { whenKept } from "./keeping.js";
import { waking } from "./waking.js";

const TABLE = /^[\w-]{1,40}$/.exec(new URLSearchParams(location.search).get("table") ?? "")?.[0] ?? ""; // an embedded one has a name
const CHANNEL = channelOf(TABLE);
const RELEASE = "%RELEASE%", DROPPED = "maexchen.dropped", KEEPS_MS = 5_000, ASKS_MS = 5_000;
const me = `${Date.now()}-${Math.random()}`;
const channel = new BroadcastChannel(CHANNEL);
const lines = new Map(), asked = new Map();
let count = 0, begun = 0, reached = null; // how much of waking up was before the worker; which worker has the table
const post = (from, kind, what) => channel.postMessage({ to: "table", from, kind, what });

// What is kept of a table here goes by its name. Who plays has the first seat.
export const HOME = TABLE ? `${location.host} ${TABLE}` : location.host;
export const SEAT = 0;
export function at(page) {
  const name = page.split("/")[0]; // one page is that of all seats
  const address = new URL(page.startsWith("?") || !page ? `./${page}` : `${name}.html`, new URL(".", location.href));
  if (TABLE) address.searchParams.set("table", TABLE);
  return address.href;
}

// Several people pass the page of a seat on. A match of so many people, or of these names, begins by its address.
export const PASSES = true;
export function passedOn({ game, options, bots }, people, names = []) {
  const setup = { game, ...options, people, players: people + bots.length, bots: bots.join(), ...(names.length && { names: names.join() }) };
  return `${at(people > 1 ? "seat" : "")}#${new URLSearchParams(setup)}`;
}

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
    post(this.name, "open", location.hash === "#session" ? sessionStorage.getItem(DROPPED) : null);
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
export const LINES = [ChannelLine];

// What the table answers, as ``fetch`` has it. It is asked once it is awake. ``body``: the text of a file.
export function ask(path, { headers = {}, body = null } = {}) {
  if (location.hash === "#dropped" && path.startsWith("/judged.json")) body = sessionStorage.getItem(DROPPED);
  const number = count++, token = (headers.Authorization ?? "").replace("Bearer ", "");
  return new Promise((done) => {
    const message = { number, path, token, body, line: [...lines.keys()].at(-1) };
    asked.set(number, { message, done });
    if (reached) post(me, "ask", message);
    else post(me, "ready?");
  });
}
// Leads to a page that shows the text of a file: ``judged#dropped`` or ``bench#session``.
export function show(text, [page, hash]) {
  sessionStorage.setItem(DROPPED, text);
  const there = `${at(page)}#${hash}`;
  if (location.href === there) location.reload(); // another file on the same page
  else location.assign(there);
}
export const addressOf = async (path) => URL.createObjectURL(await (await ask(path)).blob());

// Before a page loads itself anew, all that was done is stored. A table that does not answer holds nobody up.
let stored = () => {};
self.keepFirst = () => new Promise((done) => {
  if (!reached) return done();
  stored = done;
  setTimeout(done, KEEPS_MS);
  return post(me, "store");
});

channel.onmessage = ({ data: { to, kind, what, ready, progress, trouble, detail } }) => {
  if (to === me && kind === "answer") {
    const { number, status, type, body } = what;
    asked.get(number)?.done(new Response(body, { status, headers: { "Content-Type": type } }));
    asked.delete(number);
  } else if (to === me && kind === "stored") stored();
  else if (to !== "all") lines.get(to)?.told(kind, what);
  else if (progress) waking.at(begun + (1 - begun) * progress); // a worker begins; where another one was, its page is gone
  else if (trouble) waking.failed(trouble, detail);
  else if (ready && ready !== reached) {
    waking.over();
    if (reached) for (const line of [...lines.values()]) { // another worker has it now
      line.cut(); // what was said to the last one may have come to this one, too
      line.told("ended", [1006, ""]);
    }
    reached = ready;
    for (const line of lines.values()) line.begin();
    for (const { message } of asked.values()) post(me, "ask", message);
  }
};

// This page has the table from now on.
async function host() {
  if (typeof WebAssembly !== "object") {
    waking.failed("site_noWasm");
    return;
  }
  begun = await whenKept();
  const name = JSON.stringify([location.hash.slice(1), document.documentElement.lang, RELEASE, TABLE]);
  const worker = new Worker(new URL("../worker.js", import.meta.url), { type: "module", name });
  worker.onerror = () => waking.failed("site_notLoaded");
  const store = () => post(me, "store");
  addEventListener("pagehide", store);
  document.addEventListener("visibilitychange", store);
}
addEventListener("pagehide", () => { for (const name of lines.keys()) post(name, "cut"); });
addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); }); // its lines are cut, its worker may be gone
setInterval(() => { if (!reached) post(me, "ready?"); }, ASKS_MS);
if (navigator.locks) navigator.locks.request(CHANNEL, () => { host(); return new Promise(() => {}); });
else host();
waking.release(RELEASE);
