async (names) => {
  const cache = await caches.open((await caches.keys())[0]);
  const type = { headers: { "Content-Type": "text/javascript" } };
  for (const name of names) await cache.put(name, new Response("<!doctype html>", type));
}
