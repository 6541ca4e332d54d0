// Python with this project, in a worker. A first visit begins it from its files, and keeps its memory as it is once all is
// imported. Later visits begin with that memory.
import { noble } from "./noble.js";
import { loadPyodide } from "./pyodide.mjs";

const LOCK = %LOCK%; // which Python this is; no package is loaded from elsewhere
const PACKED = %PACKED%, HOME = new URL("./", import.meta.url), send = self.fetch;
const APP = "/app", EXTENSION = `${APP}/msgspec/_core.cpython-314-wasm32-emscripten.so`;
const SHOWN_MS = 3_000; // a page shows something so long after Python is there; then the memory is kept
const LEAST_GB = 4; // chosen: the copy of a first visit takes 45 MB, and while it is stored more; a device that tells no size has less
globalThis.noble = noble;

// A service worker unpacks what a host sends packed. Where none does, this worker does; Pyodide fetches by it, too.
async function unpacked(address, asked, ...how) {
  const name = new URL(asked, HOME).pathname.slice(HOME.pathname.length);
  if (!(name in PACKED)) return send(asked, ...how);
  const answer = await send(address(`${name}.packed`));
  if (!answer.ok) return answer;
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": PACKED[name] } });
}
async function fetched(asked) {
  const answer = await fetch(asked);
  if (!answer.ok) throw new Error(`${asked}: ${answer.status}`);
  return answer.arrayBuffer();
}
// Some hosts forbid a worker what is not a file of theirs.
async function largeScript(asked, name) {
  const url = URL.createObjectURL(new Blob([await fetched(asked)], { type: PACKED[name] }));
  return import(url).catch(() => import(`./${name}`));
}

// Returns Python and a module of ours. ``isKept``: a service worker has all files of the ``release``, and later visits may have the memory.
export async function pythonWith(name, { release, isKept, tell }) {
  const address = (file) => new URL(`${file}?${release}`, HOME).href, module = `hw_sim.live.page.${name}`;
  const cache = isKept ? await self.caches?.open(`maexchen ${release}`).catch(() => null) : null;
  let memory = await cache?.match(name).then((found) => found?.arrayBuffer());
  if (!isKept) self.fetch = (...asked) => unpacked(address, ...asked);
  async function begin() {
    tell(0.05);
    const packed = fetched(address("app.zip"));
    const [{ default: create }, extension] = await Promise.all([
      isKept ? import("./pyodide.asm.mjs") : largeScript(address("pyodide.asm.mjs"), "pyodide.asm.mjs"),
      fetched(address("extension.wasm")).then(WebAssembly.compile),
    ]);
    const createPyodideModule = (settings) => {
      settings.preRun.push((made) => { // the extension comes before all else, so it lies at the same place in every memory
        made.preloadedWasm[EXTENSION] = made.loadWebAssemblyModule(extension, { allowUndefined: true, nodelete: true }, EXTENSION, {}, 0);
        if (memory) made._emscripten_resize_heap(memory.byteLength);
      });
      return create(settings);
    };
    const kept = memory && { _loadSnapshot: memory, _snapshotDeserializer: () => noble };
    const python = await loadPyodide({ createPyodideModule, indexURL: HOME.href, stdLibURL: address("library.zip"), lockFileContents: LOCK, ...kept });
    memory = python._api.config._loadSnapshot = null; // or it stays there twice
    tell(0.6);
    python.unpackArchive(await packed, "zip", { extractDir: APP });
    return python;
  }
  if (memory) {
    try {
      const python = await begin();
      python.runPython("import random; random.seed()"); // else all visits have the same chance
      return { python, module: python.pyimport(module) };
    } catch (error) { // what is damaged is kept anew
      console.warn(error);
      memory = null;
    }
  }
  const python = await begin(), { config } = python._api;
  python.runPython(`import sys; sys.path.insert(0, "${APP}")`);
  const made = { python, module: python.pyimport("packed_modules").entered(APP, module) };
  if (!cache || !(navigator.deviceMemory >= LEAST_GB)) return made;
  config._makeSnapshot = true;
  const bytes = python.makeMemorySnapshot({ serializer: (one) => (one === noble ? "noble" : undefined) });
  setTimeout(() => cache.put(name, new Response(bytes)).catch(() => {}), SHOWN_MS);
  return made;
}
