// In place of the workers of a page: a socket to the test, which says what is shown. The page and its line are the real ones.
(() => {
  if (self !== top || self.isShown) return;
  self.isShown = true;
  delete Navigator.prototype.serviceWorker; // nothing is kept for another visit
  // ``heard``: gets text(message), panel(bytes) and closed(code, reason).
  function dial(heard) {
    const socket = new WebSocket(`ws://${location.host}/socket`), waiting = [];
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      heard.open?.();
      waiting.splice(0).forEach((each) => socket.send(each));
    };
    socket.onmessage = ({ data }) => (typeof data === "string" ? heard.text(data) : heard.panel(new Uint8Array(data)));
    socket.onclose = ({ code, reason }) => heard.closed(code, reason);
    return {
      send: (text) => (socket.readyState === WebSocket.OPEN ? socket.send(text) : waiting.push(text)),
      close() {
        socket.onclose = socket.onmessage = null;
        socket.close();
      },
    };
  }
  async function answer({ number, path, body }) {
    const answered = await fetch(path, body ? { method: "POST", body } : {}), type = answered.headers.get("Content-Type");
    return { number, status: answered.status, type, body: await answered.text() };
  }
  // The table of this browser, which pages reach by a channel.
  const channel = new BroadcastChannel("maexchen /"), lines = new Map();
  const post = (to, kind, what) => channel.postMessage({ to, kind, what });
  const TOLD = {
    "ready?": () => channel.postMessage({ to: "all", ready: "shown" }),
    open: (from) => lines.set(from, dial({
      text: (text) => post(from, "text", text), panel: (bytes) => post(from, "panel", bytes), closed: (...why) => post(from, "ended", why),
    })),
    text: (from, text) => lines.get(from)?.send(text),
    cut: (from) => lines.get(from)?.close(),
    store: (from) => post(from, "stored"),
    ask: async (from, what) => post(from, "answer", await answer(what)),
  };
  channel.onmessage = ({ data: { to, from, kind, what } }) => { if (to === "table") TOLD[kind](from, what); };

  // The worker of a guest's phone, which has its line to a host; and any other, which does nothing.
  self.Worker = class extends EventTarget {
    constructor(address) {
      super();
      if (!String(address).endsWith("/own_worker.js")) return;
      self.shownWorker = this;
      queueMicrotask(() => {
        this.tell("awake");
        this.tell("broker", { up: true, in: true });
        this.tell("line", JSON.stringify({ open: true }));
      });
    }
    tell(kind, what) {
      const event = new MessageEvent("message", { data: { kind, what } });
      this.dispatchEvent(event);
      this.onmessage?.(event);
    }
    async postMessage({ kind, what }) {
      const [line, path, body] = what;
      if (kind === "ask") this.tell("answer", JSON.stringify(await answer({ number: line, path, body })));
      else if (kind === "take" || kind === "say_on_line") this.line?.send(what.at(-1));
      else if (kind === "cut_line") this.line?.close();
      else if (kind === "open_line") this.line = dial({
        open: () => this.tell("opened", JSON.stringify({ line })),
        text: (text) => this.tell("heard", JSON.stringify({ line, text })),
        panel: (bytes) => this.tell("heard", JSON.stringify({ line, text: JSON.stringify({ is: "panel", bytes: btoa(String.fromCharCode(...bytes)) }) })),
        closed: (code, reason) => this.tell("closed", JSON.stringify({ line, code, reason })),
      });
    }
    terminate() {}
  };
})();
