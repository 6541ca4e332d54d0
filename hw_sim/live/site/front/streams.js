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
