// All files of a release, kept as a whole: the site is there without a network, and never half old.
const RELEASE = "maexchen %RELEASE%", FILES = %FILES%; // each with its SHA-256
const LATE = %LATE%; // likewise: no match needs them, so they are kept once a table is there
const PACKED = %PACKED%; // names with their types: a host sends these packed by gzip, as NAME.packed
const POLICY = "%POLICY%"; // a worker has that of its own answer, and some hosts can send none
const BYTES = %BYTES%, STEP = 0.02; // the size of all files as they are sent, and the share of it after which pages hear how much is there
const HOME = new URL("./", location.href).pathname, ALL = { ...FILES, ...LATE };

const tell = async (what) => {
  for (const page of await clients.matchAll({ includeUncontrolled: true })) page.postMessage(what);
};
async function isWhole(name, body) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === ALL[name];
}
function made({ name, answer: { headers: sent }, body }) {
  const headers = new Headers(sent);
  headers.set("Content-Security-Policy", POLICY);
  if (name in PACKED) {
    headers.set("Content-Type", PACKED[name]);
    headers.delete("Content-Length"); // of what was sent
  }
  return new Response(body, { headers });
}
// What is damaged does not unpack; it is then empty.
const unpacked = (sent) => new Response(sent?.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer().catch(() => new ArrayBuffer());
// A file of this very release, unpacked, as its host sends it; a browser that has another one asks once more.
async function load(name, counted = () => new TransformStream()) {
  const isPacked = name in PACKED, wanted = isPacked ? `${name}.packed` : name;
  for (const cache of ["no-cache", "reload"]) {
    const answer = await fetch(wanted, { cache }), sent = answer.body?.pipeThrough(counted());
    const body = await (isPacked ? unpacked(sent) : new Response(sent).arrayBuffer());
    if (answer.ok && await isWhole(name, body)) return { name, answer, body };
  }
  throw Object.assign(new Error(`${wanted}: not that of this release`), { wrong: wanted });
}
async function fill(names, counted) {
  const loaded = await Promise.all(names.map((name) => load(name, counted))), cache = await caches.open(RELEASE);
  await Promise.all(loaded.map((each) => cache.put(each.name, made(each))));
}
addEventListener("install", (event) => {
  let there = 0, told = 0;
  event.waitUntil(fill(Object.keys(FILES), () => new TransformStream({
    async transform(chunk, out) {
      out.enqueue(chunk);
      there += chunk.length / BYTES;
      if (there < told + STEP) return;
      told = there;
      await tell({ kept: told });
    },
  })).catch(async (error) => {
    await tell({ wrong: error.wrong ?? "" });
    throw error;
  }));
});
addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("maexchen ") && name !== RELEASE;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))).then(() => clients.claim()));
});
// Names of kept files that are not what they were, or are gone.
async function damaged(names) {
  const cache = await caches.open(RELEASE);
  const found = await Promise.all(names.map(async (name) => {
    const kept = await cache.match(name);
    return kept && await isWhole(name, await kept.arrayBuffer()) ? [] : [name];
  }));
  return found.flat();
}
async function check(page) {
  const names = await damaged(Object.keys(FILES));
  const wrong = await fill(names).then(() => "", (error) => error.wrong ?? "");
  page.postMessage({ checked: names.length && !wrong ? "mended" : "", wrong });
}
addEventListener("message", (event) => {
  if (event.data === "replace") skipWaiting();
  else if (event.data === "check") event.waitUntil(check(event.source));
  else if (event.data === "late") event.waitUntil(damaged(Object.keys(LATE)).then((names) => fill(names)).catch(() => {}));
});
// A browser that takes the cache away leaves a site that wants the network. What it has by itself may be of an older release.
async function answer(request) {
  const cache = await caches.open(RELEASE).catch(() => undefined);
  const kept = await cache?.match(request, { ignoreSearch: true });
  if (kept) return kept;
  const name = new URL(request.url).pathname.slice(HOME.length), fresh = name in ALL && await load(name).catch(() => null);
  if (!fresh) return fetch(request);
  await cache?.put(name, made(fresh)).catch(() => {});
  return made(fresh);
}
addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});
