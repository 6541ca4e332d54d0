// One handheld that a phone keeps for itself: Python and its board in a worker of the site. Its keys, dice and journal are
// in this browser alone; what leaves it are sealed frames, to a broker. With a ``room`` and the key of its ``host``, it is a guest of an evening, whose page reaches the host through it. In a room of
// ``friends`` it is the handheld of this room alone.
import { pythonWith } from "./python.js";
import { browserFor } from "./static/streams.js";

const RELEASE = "%RELEASE%";
const STORE = "maexchen.own", KEPT = "kept", OLD_MS = 30 * 24 * 3_600_000, ANSWERS_MS = navigator.locks ? 10_000 : 1_000;
const { secret = "", language, brokers = [], room = "", host = "", friends = "", isKept = false } = JSON.parse(self.name);
const JOURNAL = friends ? `friends ${friends}` : "handheld", TABS = friends ? `${STORE} ${friends}` : STORE;
const me = `${Date.now()}-${Math.random()}`;
const tell = (kind, what) => postMessage({ kind, what });
const done = (asked) => new Promise((found, fail) => {
  asked.onsuccess = () => found(asked.result);
  asked.onerror = () => fail(asked.error);
});

// Why a browser keeps nothing: there is no room, or it refuses, as where cookies are blocked; "" for anything else.
const reasonOf = ({ name }) => ({ QuotaExceededError: "disk", SecurityError: "own_cannot", InvalidStateError: "own_cannot", UnknownError: "own_cannot" })[name] ?? "";

// The store has one handheld and the tab that may write it. A tab that slept and lost it can neither write nor send.
async function opened() {
  const asked = indexedDB.open(STORE, 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(KEPT);
  const store = await done(asked);
  prune(store);
  return store;
}
// The rooms of friends that nobody has been in for 30 days go.
function prune(store) {
  const asked = store.transaction(KEPT, "readwrite").objectStore(KEPT).openCursor();
  asked.onsuccess = () => {
    const row = asked.result, { at } = row?.value ?? {};
    if (!row) return;
    if (row.key.startsWith("friends ") && row.key !== JOURNAL) {
      if (!at) row.update({ ...row.value, at: Date.now() }); // of an older release
      else if (Date.now() - at > OLD_MS) row.delete();
    }
    row.continue();
  };
}
function changed(store, change) {
  return new Promise((kept, fail) => {
    const writing = store.transaction(KEPT, "readwrite", { durability: "strict" });
    const kinds = writing.objectStore(KEPT);
    const asked = kinds.get(JOURNAL);
    asked.onsuccess = () => {
      const next = change(asked.result);
      if (next) kinds.put({ ...next, at: Date.now() }, JOURNAL);
      else writing.abort();
    };
    writing.oncomplete = () => kept(asked.result?.data);
    writing.onabort = () => fail(writing.error ?? new Error("another tab has this handheld"));
  });
}
// A tab that has the handheld holds a lock, where there are any (not over plain http), and its page says so when
// another one asks: its worker may be busy. One that does neither for long sleeps, and loses it.
const isTaken = () => new Promise((answer) => {
  const tabs = new BroadcastChannel(TABS), waiting = new AbortController();
  const end = (taken) => { tabs.close(); waiting.abort(); answer(taken); };
  tabs.onmessage = ({ data }) => { if (data.has) end(true); };
  tabs.postMessage({ asks: true });
  navigator.locks?.request(TABS, { signal: waiting.signal }, () => { end(false); return new Promise(() => {}); }).catch(() => {});
  setTimeout(() => setTimeout(end, 0, false), ANSWERS_MS); // what came while Python began is heard first
});

const early = [];
let own = null;
onmessage = ({ data }) => early.push(data);
const hear = ({ kind, what }) => own[kind](...what); // a method of `PhonePage`

async function begin() {
  const loading = pythonWith("phone_page", { release: RELEASE, isKept, tell: (share) => tell("progress", share) });
  if (await isTaken().catch(() => false)) {
    tell("failed", "own_otherTab");
    return close();
  }
  const store = await opened().catch((error) => { if (reasonOf(error) !== "own_cannot") throw error; }); // refused: all ends with its page
  const stored = store && await changed(store, (before) => ({ owner: me, data: before?.data }));
  tell("release", RELEASE);
  const { module } = await loading;
  const post = (kind, what) => tell(kind, what?.toJs ? what.toJs() : what);
  let lost = false;
  const keep = async (what) => {
    const data = what.toJs();
    return store && changed(store, (before) => (before?.owner === me ? { owner: me, data } : null)).catch((error) => {
      if (!lost) tell("failed", reasonOf(error) || "own_otherTab");
      lost = true;
      throw error;
    });
  };
  const browser = browserFor(module.Browser, keep, (what) => tell("broker", what));
  own = module.PhonePage(post, browser, brokers.join(" "), secret, language, stored, room, host);
  onmessage = ({ data }) => hear(data);
  early.forEach(hear);
  tell("awake", !store);
}
begin().catch((error) => {
  tell("failed", reasonOf(error));
  console.warn(error);
  close(); // Python, which may still be loading, is silent from now on
});
