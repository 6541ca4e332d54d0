// The connection to the table: says hello, a guest with the secret of their place, and comes back after a break.
import { HOME, Line } from "./line.js";
import { language } from "./words.js";
const FINAL = new Set([4400, 4403, 4429]);
const SILENT_MS = 10_000, PREPARES_MS = 30_000;
export const guestKey = `maexchen.guest.${HOME}`, backKey = `maexchen.back.${HOME}`;

export class Table {
  constructor(view, seat, heard) {
    this.view = view;
    this.wanted = seat;
    this.heard = heard;
    this.seat = null;
    this.open = false;
    this.claimed = this.here = []; // by seat, whether it is taken; the seats whose pages are there
    this.wait = 300;
    this.connect();
    addEventListener("offline", () => this.#lost());
    const again = () => { if (!this.open && !document.hidden) this.connect(); };
    addEventListener("online", again);
    document.addEventListener("visibilitychange", () => { again(); this.#hide(); });
    addEventListener("maexchen:do", ({ detail }) => this.mine(detail)); // from a page around this one
    setInterval(() => this.send({ do: "alive" }), SILENT_MS); // who is silent sleeps
  }
  // A guest of a party has a secret, whatever seat he has in a match.
  get isGuest() {
    return this.view === "seat" && this.wanted === null;
  }
  // Keeps who is there; a handheld of this page's own may tell so, too.
  notes({ claimed = this.claimed, here = this.here }) {
    Object.assign(this, { claimed, here });
  }
  connect() {
    clearTimeout(this.due);
    this.line?.cut();
    const line = this.line = new Line({
      open: () => {
        this.open = true;
        this.send({ do: "hello", view: this.view, seat: this.wanted, token: this.isGuest ? localStorage.getItem(guestKey) : null, language });
        if (document.hidden) this.#hide();
      },
      message: (text) => this.#message(JSON.parse(text)),
      panel: (bytes) => this.heard.panel?.(bytes[1], bytes[2], bytes.subarray(3)),
      closed: (code, reason) => {
        if (line !== this.line) return;
        if (FINAL.has(code)) {
          this.open = false;
          if (this.isGuest && code === 4403) localStorage.removeItem(guestKey);
          this.heard.ended?.(code, reason);
        } else this.#lost();
      },
    });
  }
  #message(message) {
    if (message.is === "welcome") {
      this.wait = 300;
      this.seat = message.seat;
      this.rights = message.rights;
    }
    if (message.is === "state") this.notes(message);
    if (message.is === "left") {
      localStorage.removeItem(guestKey);
      this.seat = null;
    }
    this.heard[message.is]?.(message);
    dispatchEvent(new CustomEvent("maexchen:news", { detail: message }));
  }
  #lost() {
    this.open = false;
    this.line.cut();
    this.heard.gone?.();
    clearTimeout(this.due);
    this.due = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(3000, this.wait * 1.6);
  }
  // A phone that is locked sleeps, and all may know.
  #hide() {
    if (this.view === "seat") this.send({ do: "hidden", on: document.hidden });
  }
  send(message) {
    if (this.open) this.line.send(JSON.stringify(message));
  }
  // A hand moves the seat's handheld: at the table, or (``hand``) the one that this phone keeps itself.
  mine(message) {
    if (this.seat !== null) (this.hand ?? this.send).call(this, { ...message, seat: this.seat });
  }
  // Plays another seat, as if its page had been opened.
  sitAt(seat) {
    this.wanted = seat;
    this.seat = null;
    this.connect();
  }
}
// A match that was begun comes once all handhelds have answered: ``on`` tells whether one is to come, ``changed`` hears of that.
export function preparation(changed) {
  const is = { on: false, set(on) { clearTimeout(is.due); is.on = on; if (on) is.due = setTimeout(is.set, PREPARES_MS, false); changed(); } };
  addEventListener("maexchen:news", ({ detail }) => { if (is.on && ["welcome", "refused"].includes(detail.is)) is.set(false); });
  return is;
}
