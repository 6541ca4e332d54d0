// The table of this browser: Python and the whole simulator in a worker. Pages reach it by a channel. Or, for one page, a file
// that somebody has opened: what it does to that may take long.
import { pythonWith } from "./python.js";
import { STORED_MS, channelOf, openDoor, partyHere } from "./static/channel.js";
import { browserFor, keptFolder } from "./static/streams.js";

const [link, language, release, name, file, isKept] = JSON.parse(self.name); // ``file``: the channel of a page that shows one
const text = file ? new Promise((done) => { onmessage = ({ data }) => done(data); }) : null;
const FOLDER = name ? `/kept-${name}` : "/kept", TABLE = `${FOLDER}/table`; // a store of its own, as each is kept as a whole
const EVENING = "evening"; // the name of the table of a hosted evening
const HOME = new URL("./", import.meta.url), me = `${Date.now()}-${Math.random()}`;
const channel = new BroadcastChannel(file || channelOf(name));
const tell = (message) => channel.postMessage({ to: "all", ...message });
const post = (line, kind, what) => channel.postMessage({ to: line, kind, what: what?.toJs ? what.toJs() : what });
async function begin() {
  const hosts = name === EVENING && !file, tells = (progress) => tell({ progress });
  const { python, module } = await pythonWith(hosts ? "evening" : "page_table", { release, isKept, tell: tells });
  if (file) return { table: module.PageFile(await text, post, working) };
  const keep = await keptFolder(python.FS, FOLDER).catch(() => null), path = python.pyimport("pathlib").Path(TABLE);
  tells(0.95);
  if (hosts) return hosted(module, path, { keep, table: null });
  return { keep, table: module.open_page_table(path, link, language, post) };
}
// An evening that this browser hosts; its guests come over a broker.
async function hosted(module, path, made) {
  const refused = ({ line }) => { if (line) tell({ trouble: "site_refused", detail: line }); };
  const browser = browserFor(module.Browser, () => store(made), refused);
  made.table = await module.open_evening(path, HOME.href, link, language, post, browser, release);
  if (new URL(made.table.broker).host === HOME.host) lead(made.table);
  return made;
}
// The server that sends this site has the broker, too: guests reach both at its addresses, by a code alone.
const LEADS_MS = 30_000;
async function lead(table) {
  const party = await partyHere();
  const [code, link] = party?.sites.length ? table.lead(party.sites, party.secure[0]).toJs() : [];
  if (code) await openDoor(code, link); // again and again: a server that was begun anew knows no door
  setTimeout(() => lead(table), LEADS_MS);
}

// Python does nothing else meanwhile, so pages hear of it in between. What is short is not told of.
const TOLD_MS = 300;
let due = 0, heardAt = 0;
function working(share) {
  const now = Date.now();
  if (now - heardAt > 2 * TOLD_MS) due = now + TOLD_MS;
  heardAt = now;
  if (now < due) return;
  due = now + TOLD_MS;
  tell({ share });
}

let storing = Promise.resolve(), waits = false, refused = false;
// Keeps all files of the table, one time after the other.
function store({ keep }) {
  if (!keep || waits) return storing;
  waits = true;
  storing = storing.then(() => {
    waits = false;
    return keep();
  }).then(() => { refused = false; }, () => {
    if (!refused) tell({ trouble: "site_notKept" }); // once, and not each second
    refused = true;
  });
  return storing;
}

const failure = (error) => {
  const told = String(error?.message ?? error);
  return /allocat|out of memory|MemoryError/i.test(told) ? "site_noMemory" : /WebAssembly|wasm/i.test(told) ? "site_noWasm" : "site_notLoaded";
};
const lastLine = (error) => String(error?.message ?? error).trim().split("\n").at(-1);
const complain = (error) => {
  tell({ trouble: failure(error), detail: lastLine(error) });
  console.warn(error);
};
addEventListener("unhandledrejection", ({ reason }) => complain(reason));

const early = [];
channel.onmessage = ({ data }) => { if (data.to === "table") early.push(data); };
try {
  const made = await begin();
  const { table } = made;
  const told = table.told?.toJs();
  const hear = ({ from, kind, what }) => {
    if (kind === "open") {
      table.open(from);
      if (told) channel.postMessage({ to: from, kind: "told", what: told });
      if (!made.keep && !file) channel.postMessage({ to: from, kind: "told", what: ["site_notKept", ""] });
    } else if (kind === "text") table.take(from, what);
    else if (kind === "cut") table.take(from, undefined);
    else if (kind === "store") store(made).then(() => post(from, "stored"));
    else if (kind === "ready?") tell({ ready: me });
    else if (kind === "ask") {
      let told = [500, "text/plain", ""]; // where the table fails at it
      try { told = (what.body === null ? table.ask(what.path) : table.read(what.body)).toJs(); } catch (error) {
        console.warn(error);
        told[2] = lastLine(error);
      }
      const [status, type, body] = told;
      channel.postMessage({ to: from, kind: "answer", what: { number: what.number, status, type, body } });
    }
  };
  channel.onmessage = ({ data }) => { if (data.to === "table") hear(data); };
  tell({ ready: me });
  early.forEach(hear);
  if (!file) setInterval(() => store(made), STORED_MS);
} catch (error) {
  complain(error);
}
