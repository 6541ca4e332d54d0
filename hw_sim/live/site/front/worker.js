// The table of this browser: Python and the whole simulator in a worker. Pages reach it by a channel.
import { loadPyodide } from "./pyodide.mjs";
import { noble } from "./noble.js";
import { CHANNEL, STORED_MS } from "./static/channel.js";

const LOCK = %LOCK%; // which Python this is; no package is loaded from elsewhere
const FOLDER = "/kept", TABLE = `${FOLDER}/table`;
const [link, language, release] = JSON.parse(self.name);
const me = `${Date.now()}-${Math.random()}`;
const channel = new BroadcastChannel(CHANNEL);
const tell = (message) => channel.postMessage({ to: "all", ...message });
globalThis.noble = noble;

const address = (name) => new URL(`${name}?${release}`, import.meta.url).href;
async function fetched(name) {
  const answer = await fetch(address(name));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.arrayBuffer();
}

const synced = (python, into) => new Promise((done, fail) => { python.FS.syncfs(into, (error) => (error ? fail(error) : done())); });

async function begin() {
  tell({ progress: 0.05 });
  const packed = fetched("app.zip");
  const python = await loadPyodide({ indexURL: new URL("./", import.meta.url).href, stdLibURL: address("library.zip"), lockFileContents: LOCK });
  tell({ progress: 0.6 });
  python.unpackArchive(await packed, "zip", { extractDir: "/app" });
  python.FS.mkdir(FOLDER);
  let keeps = true;
  try {
    python.FS.mount(python.FS.filesystems.IDBFS, {}, FOLDER);
    await synced(python, true);
  } catch {
    keeps = false;
  }
  tell({ progress: 0.7 });
  python.runPython("import sys; sys.path.insert(0, '/app')");
  const { open_page_table: open } = python.pyimport("hw_sim.live.page.page_table");
  tell({ progress: 0.95 });
  const post = (line, kind, what) => channel.postMessage({ to: line, kind, what: what?.toJs ? what.toJs() : what });
  const path = python.pyimport("pathlib").Path(TABLE);
  return { python, keeps, table: open(path, link, language, post) };
}

let storing = Promise.resolve(), waits = false;
// Keeps all files of the table, one time after the other.
function store({ python, keeps }) {
  if (!keeps || waits) return storing;
  waits = true;
  storing = storing.then(() => {
    waits = false;
    return synced(python, false);
  }).catch(() => tell({ trouble: "site_notKept" }));
  return storing;
}

const failure = (error) => {
  const told = String(error?.message ?? error);
  return /WebAssembly|wasm/i.test(told) ? "site_noWasm" : /memory|allocat/i.test(told) ? "site_noMemory" : "site_notLoaded";
};

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
      if (!made.keeps) channel.postMessage({ to: from, kind: "told", what: ["site_notKept", ""] });
    } else if (kind === "text") table.take(from, what);
    else if (kind === "cut") table.take(from, null);
    else if (kind === "store") store(made);
    else if (kind === "ready?") tell({ ready: me });
    else if (kind === "ask") {
      const [status, type, body] = (what.body === null ? table.ask(what.path, what.token) : table.judge(what.body, what.path)).toJs();
      channel.postMessage({ to: from, kind: "answer", what: { number: what.number, status, type, body } });
    }
  };
  channel.onmessage = ({ data }) => { if (data.to === "table") hear(data); };
  tell({ ready: me });
  early.forEach(hear);
  setInterval(() => store(made), STORED_MS);
} catch (error) {
  tell({ trouble: failure(error), detail: String(error?.message ?? error).split("\n").at(-2) ?? "" });
  console.warn(error);
}
