// The table of this browser: Python and the whole simulator in a worker. Pages reach it by a channel.
import { loadPyodide } from "./pyodide.mjs";
import { noble } from "./noble.js";
import { STORED_MS, channelOf } from "./static/channel.js";
import { keptFolder } from "./static/kept.js";

const LOCK = %LOCK%; // which Python this is; no package is loaded from elsewhere
const [link, language, release, name] = JSON.parse(self.name);
const FOLDER = name ? `/kept-${name}` : "/kept", TABLE = `${FOLDER}/table`; // a store of its own, as each is kept as a whole
const me = `${Date.now()}-${Math.random()}`;
const channel = new BroadcastChannel(channelOf(name));
const tell = (message) => channel.postMessage({ to: "all", ...message });
const post = (line, kind, what) => channel.postMessage({ to: line, kind, what: what?.toJs ? what.toJs() : what });
globalThis.noble = noble;

const address = (name) => new URL(`${name}?${release}`, import.meta.url).href;
async function fetched(name) {
  const answer = await fetch(address(name));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.arrayBuffer();
}

async function begin() {
  tell({ progress: 0.05 });
  const packed = fetched("app.zip");
  const python = await loadPyodide({ indexURL: new URL("./", import.meta.url).href, stdLibURL: address("library.zip"), lockFileContents: LOCK });
  tell({ progress: 0.6 });
  python.unpackArchive(await packed, "zip", { extractDir: "/app" });
  const keep = await keptFolder(python.FS, FOLDER).catch(() => null);
  tell({ progress: 0.7 });
  python.runPython("import sys; sys.path.insert(0, '/app')");
  const { open_page_table: open } = python.pyimport("packed_modules").entered("/app", "hw_sim.live.page.page_table");
  tell({ progress: 0.95 });
  const path = python.pyimport("pathlib").Path(TABLE);
  return { keep, table: open(path, link, language, post) };
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
const complain = (error) => {
  tell({ trouble: failure(error), detail: String(error?.message ?? error).trim().split("\n").at(-1) });
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
      table.open(from, what ?? undefined); // Python has its None for undefined alone
      if (told) channel.postMessage({ to: from, kind: "told", what: told });
      if (!made.keep) channel.postMessage({ to: from, kind: "told", what: ["site_notKept", ""] });
    } else if (kind === "text") table.take(from, what);
    else if (kind === "cut") table.take(from, undefined);
    else if (kind === "store") store(made).then(() => post(from, "stored"));
    else if (kind === "ready?") tell({ ready: me });
    else if (kind === "ask") {
      const [status, type, body] = (what.body === null ? table.ask(what.path, what.token, what.line) : table.read(what.body, what.path)).toJs();
      channel.postMessage({ to: from, kind: "answer", what: { number: what.number, status, type, body } });
    }
  };
  channel.onmessage = ({ data }) => { if (data.to === "table") hear(data); };
  tell({ ready: me });
  early.forEach(hear);
  setInterval(() => store(made), STORED_MS);
} catch (error) {
  complain(error);
}
