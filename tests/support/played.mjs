// Plays a match in the Python of a built site, under Node, and prints its digest, and that of the primitives' checks.
// played.mjs <folder of the site> <the checks> <game> <players> <options as JSON> <seed>
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, checks, game, players, options, seed] = process.argv.slice(2);
const site = resolve(folder), at = (name) => join(site, name);
const { loadPyodide } = await import(pathToFileURL(at("pyodide.mjs")));
globalThis.noble = (await import(pathToFileURL(at("noble.js")))).noble;
const lock = /^const LOCK = (.*?);/m.exec(readFileSync(at("python.js"), "utf8"))[1];
const python = await loadPyodide({ indexURL: `${site}/`, stdLibURL: at("library.zip"), lockFileContents: JSON.parse(lock) });
python.unpackArchive(new Uint8Array(readFileSync(at("app.zip"))), "zip", { extractDir: "/app" });
python.FS.writeFile("/app/msgspec/_core.cpython-314-wasm32-emscripten.so", readFileSync(at("extension.wasm")));
python.globals.set("checks", readFileSync(checks, "utf8"));
python.globals.set("asked", [game, Number(players), options, Number(seed)]);
console.log(python.runPython(`
import sys
sys.path.insert(0, "/app")
from packed_modules import entered
entered("/app", "hw_sim.table.headless")
import asyncio, json
from game import rule_set
from hw_sim.live.page.link_setup import LINK
from hw_sim.table.headless import journal_folder, play_match
from hw_sim.table import TableSetup
asyncio.events._set_running_loop(None)  # a virtual loop runs in place of the page's
game, players, options, seed = asked
setup = TableSetup(rule_set(game, json.loads(options)), players, seed, link=LINK)
with journal_folder() as folder:
    digest = play_match(setup, folder).digest
primitives = {"__name__": "checks"}
exec(checks, primitives)
f"{digest}\\n{primitives['main']()}"
`));
process.exit(0);
