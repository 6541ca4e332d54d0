// The streams of Python in a worker: WebSockets to brokers, by number.
// ``hears``: a promise of what is told of them: opened(number), heard(number, text) and ended(number). ``notes`` is told at
// once whether a broker is there, ``up``, whether it has let one in, and its troubles, each a ``line``.
export function streamsFor(hears, notes = () => {}) {
  const open = new Map(), ups = new Set();
  const note = (what) => notes({ up: ups.size > 0, ...what });
  const tell = (kind, ...what) => hears.then((each) => each[kind](...what));
  return {
    async dial(number, address) {
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
        const { dial } = await import("../broker.js");
        open.set(number, dial(address, heard));
      } catch (error) { // the way to a broker cannot be loaded now
        console.warn(error);
        heard.ended();
      }
    },
    say: (number, text) => open.get(number)?.say(text),
    hangUp: (number) => open.get(number)?.close(),
  };
}
