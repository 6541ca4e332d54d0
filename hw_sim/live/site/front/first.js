// Before everything else: a phone is led to its handheld, a link's language, and a memory in place of a store that the browser refuses.
(() => {
  let store;
  try {
    store = localStorage;
    store.getItem("maexchen.language");
  } catch {
    const kept = new Map();
    store = {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => kept.set(key, String(value)),
      removeItem: (key) => kept.delete(key),
    };
    Object.defineProperty(window, "localStorage", { value: store });
  }
  const isTable = /\/(index\.html)?$/.test(location.pathname) && !new URLSearchParams(location.search).has("watch");
  const isPhone = matchMedia("(pointer: coarse)").matches && Math.min(screen.width, screen.height) <= 600;
  if (isTable && isPhone) location.replace(`seat.html${location.search}${location.hash}`);
  const language = new URLSearchParams(location.hash.slice(1)).get("lang");
  if (language) store.setItem("maexchen.language", language);
  self.keepFirst = async () => {}; // where there is a table, line.js has another one
  addEventListener("hashchange", () => self.keepFirst().then(() => location.reload()));
})();
