// What Python in a worker has of this browser: WebSockets to brokers, by number, and a store. ``Browser`` is its class, ``keep``
// keeps something in the store. ``notes`` is told whether a broker is there, ``up``, whether it has let one in, and its
// troubles, each a ``line``.
export function browserFor(Browser, keep, notes) {
  const open = new Map(), ups = new Set();
  const note = (what) => notes({ up: ups.size > 0, ...what });
  const tell = (kind, ...what) => Promise.resolve().then(() => browser[kind](...what)); // Python may have called
  async function dial(number, address) {
    const heard = {
      opened() {
        ups.add(number);
        note();
        tell("opened", number);
      },
      attended: () => note({ in: true }),
      heard(text) {
        const { type, line } = JSON.parse(text);
        if (type === "tells") note({ line });
        tell("heard", number, text);
      },
      ended() {
        open.delete(number);
        ups.delete(number);
        note();
        tell("ended", number);
      },
    };
    try {
      const broker = await import("../broker.js");
      open.set(number, broker.dial(address, heard));
    } catch (error) { // the way to a broker cannot be loaded now
      console.warn(error);
      heard.ended();
    }
  }
  const browser = Browser(dial, (number, text) => open.get(number)?.say(text), (number) => open.get(number)?.close(), keep);
  return browser;
}

// A folder that a browser keeps: all its files as they are at one moment, or none of them.
// IDBFS by itself lists files, waits for its database, and then reads them. What is written in between is kept in some
// of them only: one handheld has passed the cup on, and the other one has never got it.
const asked = (call) => new Promise((done, fail) => { call((error, found) => (error ? fail(error) : done(found))); });
const isSame = (one, other) => one?.timestamp.getTime() === other?.timestamp.getTime();

// Fills a folder with what is kept of it, and returns a function that keeps it. Both fail if the browser refuses.
export async function keptFolder(FS, folder) {
  FS.mkdir(folder);
  const kind = FS.filesystems.IDBFS, { mount } = FS.mount(kind, {}, folder);
  const kept = await asked((done) => kind.getRemoteSet(mount, done));
  const listed = (use) => kind.getLocalSet(mount, (error, found) => { // at once, as all that follows here
    if (error) throw error;
    use(found);
  });
  await asked((done) => listed((empty) => kind.reconcile(kept, empty, done)));
  let { entries } = kept;
  return () => new Promise((done, fail) => listed((now) => {
    for (const began = Date.now(); Date.now() === began;); // what is written later has another time
    const changed = Object.keys(now.entries).filter((path) => !isSame(now.entries[path], entries[path]));
    const gone = Object.keys(entries).filter((path) => !now.entries[path]);
    if (!changed.length && !gone.length) return done();
    const change = kept.db.transaction(kind.DB_STORE_NAME, "readwrite"), files = change.objectStore(kind.DB_STORE_NAME);
    change.oncomplete = () => {
      ({ entries } = now);
      done();
    };
    change.onabort = () => fail(change.error ?? new Error("aborted"));
    try {
      for (const path of gone) files.delete(path);
      for (const path of changed) kind.loadLocalEntry(path, (error, entry) => {
        if (error) throw error;
        files.put(entry, path);
      });
    } catch (error) {
      change.abort();
      throw error;
    }
  }));
}
