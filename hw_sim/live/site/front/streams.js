// The streams of Python in a worker: WebSockets to brokers, by number.
// ``hears``: a promise of what is told of them: opened(number), heard(number, text) and ended(number).
export function streamsFor(hears) {
  const open = new Map();
  const tell = (kind, ...what) => hears.then((each) => each[kind](...what));
  return {
    async dial(number, address) {
      const heard = {
        opened: () => tell("opened", number),
        heard: (text) => tell("heard", number, text),
        ended() {
          open.delete(number);
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
