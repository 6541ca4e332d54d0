// The ways to a table that a server has: a WebSocket, and events that are sent with posts, for where no socket
// opens. A table in the browser itself has another file of this name (hw_sim/live/site).
import { say } from "./words.js";
const MOST_LETTERS = 8_000;
const bytesOf = (text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));

// The address of another page of the table.
export const at = (page) => `/${page}`;
// Where a table is: what is kept of it in the browser goes by this. And the seat of a phone's page; null for a guest's.
export const HOME = location.host;
export const SEAT = location.pathname.startsWith("/seat/") ? Number(location.pathname.split("/").pop()) : null;
// Whether the table is in a tab of this very browser.
export const IN_TAB = false;
// Whether several people pass this page on; and where a lone player finds it: a server cannot have it changed.
export const PASSES = new URLSearchParams(location.search).has("pass");
export const passedOn = () => null;
// The answer of the table to a request, as ``fetch`` has it; and an address from which a picture is had.
export const ask = (path, options) => fetch(path, options);
export const addressOf = async (path) => path;
// What is wrong with the way to the table; ``isLost``: it was there before.
export const lineTrouble = (isLost) => (isLost ? say("gone") : "");
// The worker that has this phone's own handheld; ``name``: its secret and its language.
export const ownWorker = (name) => new Worker("/own/own_worker.js", { type: "module", name: JSON.stringify(name) });

// Each line: ``heard`` has open(), message(text), panel(bytes) and closed(code, reason), the last once.
class SocketLine {
  constructor(heard) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = this.socket = new WebSocket(`${scheme}//${location.host}/socket`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => heard.open();
    socket.onmessage = ({ data }) => (typeof data === "string" ? heard.message(data) : heard.panel(new Uint8Array(data)));
    socket.onclose = ({ code, reason }) => heard.closed(code, reason);
  }
  send(text) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
  }
  cut() {
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
  }
}

class EventsLine {
  constructor(heard) {
    const events = this.events = new EventSource("/events");
    this.heard = heard;
    this.waiting = [];
    events.onmessage = ({ data }) => {
      const news = JSON.parse(data);
      if (news.is === "line") {
        this.name = news.name;
        heard.open();
      } else if (news.is === "closed") this.#closed(news.code, news.reason);
      else heard.message(data);
    };
    events.addEventListener("panel", ({ data }) => heard.panel(bytesOf(data)));
    events.onerror = () => this.#closed(1006, "");
  }
  send(text) {
    this.waiting.push(text);
    if (!this.posting) this.#post();
  }
  cut() {
    this.gone = true;
    this.events.close();
  }
  // One post after the other, so that all comes in order.
  async #post() {
    this.posting = true;
    while (this.waiting.length && !this.gone) {
      let body = this.waiting.shift();
      while (this.waiting.length && body.length + this.waiting[0].length < MOST_LETTERS) body += `\n${this.waiting.shift()}`;
      try {
        const answer = await fetch(`/post?line=${this.name}`, { method: "POST", body });
        if (!answer.ok) this.#closed(1006, "");
      } catch {
        this.#closed(1006, "");
      }
    }
    this.posting = false;
  }
  #closed(code, reason) {
    if (this.gone) return;
    this.cut();
    this.heard.closed(code, reason);
  }
}

export const LINES = [SocketLine, EventsLine];
