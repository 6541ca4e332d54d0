// Before everything else: a link's language, and a memory in place of a store that the browser refuses.
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
  const language = new URLSearchParams(location.hash.slice(1)).get("lang");
  if (language) store.setItem("maexchen.language", language);
  addEventListener("hashchange", () => location.reload());
})();
