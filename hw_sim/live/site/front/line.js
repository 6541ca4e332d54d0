// The way to the table of this browser, in place of the file of this name that knows a server.
// One page has the table in a worker; it is the first that takes the lock. All others reach it by a channel.
import { CHANNEL } from "./channel.js";
import { waking } from "./waking.js";

const RELEASE = "%RELEASE%", DROPPED = "maexchen.dropped";
const me = `${Date.now()}-${Math.random()}`;
const channel = new BroadcastChannel(CHANNEL);
const lines = new Map(), asked = new Map();
let count = 0, reached = null; // which worker has the table
const post = (from, kind, what) => channel.postMessage({ to: "table", from, kind, what });

export const DRAWS = false;
export const at = (page) => (page.startsWith("?") ? `./${page}` : `${page}.html`);

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
export const LINES = [ChannelLine];

// What the table answers, as ``fetch`` has it. It is asked once it is awake.
export function ask(path, { headers = {} } = {}) {
  const body = location.hash === "#dropped" && path.startsWith("/judged.json") ? sessionStorage.getItem(DROPPED) : null;
  const number = count++, token = (headers.Authorization ?? "").replace("Bearer ", "");
  return new Promise((done) => {
    const message = { number, path, token, body };
    asked.set(number, { message, done });
    if (reached) post(me, "ask", message);
    else post(me, "ready?");
  });
}
// Leads to the coach's page for a file with a record or a session.
export async function judge(file) {
  sessionStorage.setItem(DROPPED, await file.text());
  location.assign(`${at("judged")}#dropped`);
}
export const addressOf = async (path) => URL.createObjectURL(await (await ask(path)).blob());

channel.onmessage = ({ data: { to, kind, what, ready, progress, trouble, detail } }) => {
  if (to === me && kind === "answer") {
    const { number, status, type, body } = what;
    asked.get(number)?.done(new Response(body, { status, headers: { "Content-Type": type } }));
    asked.delete(number);
  } else if (to !== "all") lines.get(to)?.told(kind, what);
  else if (progress) waking.at(progress);
  else if (trouble) waking.failed(trouble, detail);
  else if (ready && ready !== reached) {
    waking.over();
    if (reached) for (const line of [...lines.values()]) line.told("ended", [1006, ""]); // another worker has it now
    reached = ready;
    for (const line of lines.values()) line.begin();
    for (const { message } of asked.values()) post(me, "ask", message);
  }
};

// This page has the table from now on.
function host() {
  if (typeof WebAssembly !== "object") {
    waking.failed("site_noWasm");
    return;
  }
  const name = JSON.stringify([location.hash.slice(1), document.documentElement.lang, RELEASE]);
  const worker = new Worker(new URL("../worker.js", import.meta.url), { type: "module", name });
  worker.onerror = () => waking.failed("site_notLoaded");
  const store = () => post(me, "store");
  addEventListener("pagehide", store);
  document.addEventListener("visibilitychange", store);
}
if (navigator.locks) navigator.locks.request(CHANNEL, () => { host(); return new Promise(() => {}); });
else host();
waking.release(RELEASE);
