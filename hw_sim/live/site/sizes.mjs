// Prints how large a first visit is: sizes.mjs <folder of the site>. The wasm is compressed as hosts do, at level 9 of 11.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const { 1: files } = /^const .*FILES = (\{.*?\});/m.exec(readFileSync(join(process.argv[2], "sw.js"), "utf8"));
const names = Object.keys(JSON.parse(files)).filter((name) => name !== "./");
const brotli = (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length, [constants.BROTLI_PARAM_LGWIN]: 22 } }).length;
const rows = names.map((name) => readFileSync(join(process.argv[2], name))).map((bytes) => [bytes.length, brotli(bytes), gzipSync(bytes).length]);
const [plain, ...sent] = [0, 1, 2].map((kind) => (rows.reduce((sum, row) => sum + row[kind], 0) / 1e6).toFixed(2));
console.log(`site/ is built: a first visit loads ${names.length} files, ${plain} MB, ${sent[0]} with brotli, ${sent[1]} with gzip`);
