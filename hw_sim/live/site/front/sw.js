// All files of a release, kept as a whole: the site is there without a network, and never half old.
const RELEASE = "maexchen %RELEASE%", FILES = %FILES%;
const LATE = %LATE%; // kept once they are asked for: no match needs them
const POLICY = "%POLICY%"; // a worker has that of its own answer, and some hosts can send none
const BYTES = %BYTES%, STEP = 0.02; // the size of all files, and the share of it after which pages hear how much is there
const HOME = new URL("./", location.href).pathname;

async function keep(cache, name, { headers: sent, body }) {
  const headers = new Headers(sent);
  headers.set("Content-Security-Policy", POLICY);
  await cache.put(name, new Response(body, { headers }));
}
let there = 0, told = 0;
const counted = () => new TransformStream({
  async transform(chunk, out) {
    out.enqueue(chunk);
    there += chunk.length / BYTES;
    if (there < told + STEP) return;
    told = there;
    for (const page of await clients.matchAll({ includeUncontrolled: true })) page.postMessage({ kept: told });
  },
});
addEventListener("install", (event) => {
  event.waitUntil(caches.open(RELEASE).then((cache) => Promise.all(FILES.map(async (name) => {
    const { ok, status, headers, body } = await fetch(name, { cache: "no-cache" });
    if (!ok) throw new Error(`${name}: ${status}`);
    await keep(cache, name, { headers, body: body.pipeThrough(counted()) });
  }))));
});
addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("maexchen ") && name !== RELEASE;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))).then(() => clients.claim()));
});
addEventListener("message", ({ data }) => { if (data === "replace") skipWaiting(); });
// A browser that takes the cache away leaves a site that wants the network.
async function answer(request) {
  const cache = await caches.open(RELEASE).catch(() => undefined);
  const kept = await cache?.match(request, { ignoreSearch: true });
  if (kept) return kept;
  const fresh = await fetch(request), name = new URL(request.url).pathname.slice(HOME.length);
  if (cache && fresh.ok && LATE.includes(name)) await keep(cache, name, fresh.clone());
  return fresh;
}
addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});
