// The page's end of the worker that has this phone's own handheld.
import { keepRest, waking, whenKept } from "./waking.js";
import { language } from "./words.js";

const asked = new Map(), waiting = [];
let worker = null, tabs = null, count = 0;
export const nextNumber = () => count++;
// Calls a method of the worker's `PhonePage`. What is posted before the worker is there waits for it.
export function post(kind, ...what) {
  if (worker) worker.postMessage({ kind, what });
  else waiting.push({ kind, what });
}
// What the worker answers, as ``fetch`` has it.
export function ask(path, { body = "" } = {}) {
  const number = nextNumber();
  return new Promise((done) => {
    asked.set(number, done);
    post("ask", number, path, body);
  });
}

// Starts the worker once the site is kept. ``named``: of other tabs with the same handheld, which are told that it is taken
// here; ``setup``: of the worker; ``heard``: by kind, what is told. ``awake`` and ``failed`` end the waking up, too.
export async function start(named, setup, heard) {
  let begun = 0;
  const HEARD = {
    ...heard,
    progress: (share) => waking.at(begun + (1 - begun) * share),
    release(name) {
      heard.release?.(name);
      try { tabs = new BroadcastChannel(named); } catch { return; } // site data are refused, so no tab shares them
      tabs.onmessage = ({ data }) => { if (data.asks) tabs.postMessage({ has: true }); };
    },
    awake(keepsNothing) {
      waking.over();
      keepRest();
      if (self.keepsNothing || keepsNothing) waking.told("site_notKept"); // one that fails says why itself
      heard.awake();
    },
    failed(why) {
      tabs?.close(); // it may be another tab's by now
      waking.over();
      heard.failed(why);
    },
    answer(what) {
      const { number, status, body, release } = JSON.parse(what);
      heard.answered?.(release);
      asked.get(number)?.(new Response(body, { status }));
      asked.delete(number);
    },
  };
  if (typeof WebAssembly !== "object" || typeof indexedDB !== "object") return HEARD.failed("site_noWasm");
  waking.at(begun = await whenKept());
  worker = new Worker(new URL("../own_worker.js", import.meta.url), { type: "module", name: JSON.stringify({ language, ...setup, isKept: Boolean(navigator.serviceWorker?.controller) }) });
  worker.onerror = () => HEARD.failed("");
  worker.onmessage = ({ data: { kind, what } }) => (HEARD[kind] ?? heard.others)?.(what, kind);
  for (const message of waiting.splice(0)) worker.postMessage(message);
}
// The place is given up: the others see that this handheld is gone.
export function end() {
  worker?.terminate();
  tabs?.close();
  worker = null;
}
