// The handheld that this phone keeps for itself: a worker has it, and the table's computer sees sealed frames.
// Where it cannot run, its guest hears why.
import { ownWorker } from "./line.js";
import { guestKey } from "./socket.js";

export class OwnHandheld {
  // ``heard`` has text(message), panel(contrast, memory), compares(news), plays(news), failed(why), recalls() and
  // confesses(message).
  constructor(heard) {
    this.heard = heard;
    this.worker = null;
    this.release = "";
    this.recalled = {};
  }
  // The lobby says where handhelds gather: this one joins, under the guest's name.
  told({ gathering, place, places, screen }) {
    if (!gathering || place === null) return;
    this.goOn();
    this.post("look_up", screen);
    this.post("gather", places[place].name, gathering.host, gathering.session);
  }
  // The host is away: this handheld goes on with the match that it has.
  goOn() {
    this.worker ??= ownWorker(localStorage.getItem(guestKey), (kind, what) => {
      if (kind === "text") this.heard.text(JSON.parse(what));
      else if (kind === "panel") this.heard.panel(what[1], what[2], what.subarray(3));
      else if (kind === "release") this.release = what;
      else if (kind === "failed") this.heard.failed(what);
      else {
        const told = JSON.parse(what);
        if (kind === "recalls") this.recalled = told;
        this.heard[kind]?.(told);
      }
    });
  }
  // The lies in a table's match that it can prove, by the session: null if it has no such match, undefined until it answers.
  lies(session) {
    if (this.worker === null) return null;
    if (this.recalled.of !== session) {
      this.recalled = { of: session };
      this.post("recall", session);
    }
    return this.recalled.lies;
  }
  close() {
    this.worker?.end();
    this.worker = null;
  }
  // Calls a method of `PhonePage`, if it has begun.
  post(kind, ...what) {
    this.worker?.post(kind, ...what);
  }
}
