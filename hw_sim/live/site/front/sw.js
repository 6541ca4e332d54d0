// All files of a release, kept as a whole: the site is there without a network, and never half old.
const RELEASE = "maexchen %RELEASE%", FILES = %FILES%;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(RELEASE).then((cache) => Promise.all(FILES.map(async (name) => {
    const answer = await fetch(name, { cache: "no-cache" });
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    await cache.put(name, answer);
  }))));
});
addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("maexchen ") && name !== RELEASE;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))).then(() => clients.claim()));
});
addEventListener("message", ({ data }) => { if (data === "replace") skipWaiting(); });
addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.open(RELEASE).then((cache) => cache.match(event.request, { ignoreSearch: true })).then((kept) => kept ?? fetch(event.request)));
});
