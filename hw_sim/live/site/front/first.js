// Before everything else: a phone is led to its handheld, a link's language, a memory in place of a store that is full or
// refused, and what is done about files that are not those of this release. It is no module: it needs no other file.
(() => {
  let store;
  try {
    store = localStorage;
    store.setItem("maexchen.room", " ".repeat(4096)); // as much as an evening needs
    store.removeItem("maexchen.room");
  } catch {
    const kept = new Map(Object.entries(store ?? {})), names = store ? ["localStorage"] : ["localStorage", "sessionStorage"]; // refused
    store = {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => kept.set(key, String(value)),
      removeItem: (key) => kept.delete(key),
    };
    for (const name of names) Object.defineProperty(window, name, { value: store });
    self.keepsNothing = true;
  }
  const isTable = /\/(index\.html)?$/.test(location.pathname) && !new URLSearchParams(location.search).has("watch");
  const isPhone = matchMedia("(pointer: coarse)").matches && Math.min(screen.width, screen.height) <= 600;
  if (isTable && isPhone) location.replace(`seat.html${location.search}${location.hash}`);
  const language = new URLSearchParams(location.hash.slice(1)).get("lang");
  if (language) store.setItem("maexchen.language", language);

  const TOLD = %TOLD%, MENDED = "maexchen.mended", ANSWERS_MS = 20_000, AGAIN_MS = 60_000;
  const keeper = navigator.serviceWorker, home = document.currentScript.src;
  const wasKept = Boolean(keeper?.controller);
  let wrong = ""; // a file that the host sends wrongly
  keeper?.addEventListener("message", ({ data }) => {
    wrong = data.wrong || wrong;
    if (line.isConnected) self.tellWrong(); // a better line than the one that stands there
  });
  const words = () => TOLD[(store.getItem("maexchen.language") ?? navigator.language).slice(0, 2)] ?? TOLD.en;
  const once = (target, name, is) => new Promise((done) => {
    target.addEventListener(name, (event) => { if (is(event)) done(event); });
    setTimeout(done, ANSWERS_MS);
  });
  self.isWell = () => store.removeItem(MENDED);
  // Loads the page anew, but not for ever; does not return then.
  function again() {
    if (Math.abs(Date.now() - store.getItem(MENDED)) < AGAIN_MS) return null; // a clock may have been wrong
    store.setItem(MENDED, String(Date.now()));
    location.reload();
    return new Promise(() => {});
  }
  // Has the service worker compare all kept files, and load those anew that are damaged.
  const check = async () => {
    if (!keeper?.controller) return;
    const checked = once(keeper, "message", ({ data }) => "checked" in data);
    keeper.controller.postMessage("check");
    if ((await checked)?.data.checked) await again();
  };
  // A whole release that the host has by now takes the place of what is here.
  const renew = async () => {
    const kept = await keeper?.register(new URL("../sw.js", home), { updateViaCache: "none" });
    const worker = kept?.installing ?? await kept?.update().then((found) => found.installing ?? found.waiting, () => null);
    if (!worker && kept?.active && !wasKept) await again(); // what is kept now is whole; what came with this page is not
    if (!worker) return;
    const taken = keeper.controller?.state === "activated" && once(keeper, "controllerchange", () => true);
    if (worker.state === "installing") await once(worker, "statechange", () => worker.state !== "installing");
    if (worker.state === "redundant") return;
    worker.postMessage("replace");
    await taken;
    await again();
  };
  // One line says what is wrong, once: which file the host sends wrongly, if that is known. Returns whether it is.
  const line = document.createElement("p");
  self.tellWrong = (otherwise = "") => {
    const [damaged] = words(), text = wrong ? `${damaged} ${wrong}` : otherwise;
    line.textContent = text || line.textContent;
    if (text) (document.getElementById("told-by-site") ?? document.body).append(line);
    return wrong !== "";
  };
  // What can be done when the table does not wake; in its place the page may be loaded anew.
  let mending = null;
  self.mend = ({ checks = false } = {}) => (checks ? check() : mending ??= check().then(renew).catch(() => {}));
  // A script that does not load, or is none, tells nothing itself.
  addEventListener("error", async ({ target, error, message }) => {
    const isScript = target.tagName === "SCRIPT" || error instanceof SyntaxError || /^(Uncaught )?SyntaxError/.test(message);
    if (!isScript || document.getElementById("waking")?.hidden) return;
    await self.mend();
    self.tellWrong(words()[1]);
  }, true);
  self.keepFirst = async () => {}; // where there is a table, line.js has another one
  addEventListener("hashchange", () => self.keepFirst().then(() => location.reload()));
})();
