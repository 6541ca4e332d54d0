// Runs pack.py inside Pyodide under Node: pack.mjs <folder of npm> <sources> <packages> <packed>
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { resolve } from "node:path";

const [npm, sources, packages, packed] = process.argv.slice(2).map((each) => resolve(each));
const load = (name) => import(pathToFileURL(createRequire(`${npm}/`).resolve(name)));
const { loadPyodide } = await load("pyodide/pyodide.mjs");
globalThis.noble = await import(pathToFileURL(`${packed}/noble.js`));
const python = await loadPyodide();
const folders = [["/sources", sources], ["/packages", packages], ["/packed", packed]];
for (const [folder, root] of folders) {
  python.FS.mkdir(folder);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, folder);
}
python.runPython("import sys; sys.dont_write_bytecode = True; sys.path[:0] = ['/sources', '/sources/steckbrett/src', '/packages']");
python.runPython(readFileSync(fileURLToPath(new URL("pack.py", import.meta.url)), "utf8"));
python.globals.get("main")(...folders.map(([folder]) => folder));
