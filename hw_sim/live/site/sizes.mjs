// Prints how large a first visit is: sizes.mjs <folder of the site>. The wasm is compressed as hosts do, at level 9 of 11.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const files = (folder) => readdirSync(folder).flatMap((name) => {
  const path = join(folder, name);
  return statSync(path).isDirectory() ? files(path) : [path];
});
const brotli = (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length, [constants.BROTLI_PARAM_LGWIN]: 22 } }).length;
const rows = files(process.argv[2]).map((path) => {
  const bytes = readFileSync(path);
  return [path.slice(process.argv[2].length + 1), bytes.length, brotli(bytes), gzipSync(bytes).length];
}).sort((one, other) => other[2] - one[2]);
const { 1: late } = /^const LATE = (.*?);/m.exec(readFileSync(join(process.argv[2], "sw.js"), "utf8"));
const first = rows.filter(([name]) => !JSON.parse(late).includes(name));
const sum = (some) => some.reduce((sums, row) => sums.map((size, at) => size + row[at + 1]), [0, 0, 0]);
const mb = (size) => (size / 1e6).toFixed(2).padStart(8);
console.log(`${"MB".padEnd(24)}   plain   brotli     gzip`);
for (const [name, ...sizes] of [...rows.slice(0, 6), [`a first visit`, ...sum(first)], [`all ${rows.length} files`, ...sum(rows)]]) console.log(name.padEnd(24) + sizes.map(mb).join(" "));
