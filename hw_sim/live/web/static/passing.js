// Several people with one handheld: a cover lies over it until the next player has it in hand.
import { button, node } from "./nodes.js";
import { say } from "./words.js";

export class Passing {
  // ``taken``: gets the seat of the person who has the handheld now.
  constructor(taken) {
    this.next = null;
    this.told = node("h2", "");
    this.button = button("again", () => {
      this.button.disabled = true; // the cover stays until the next display is there
      taken(this.next);
    });
    this.cover = node("dialog", "passing", this.told, this.button);
    this.cover.addEventListener("close", () => { if (this.isUp) this.cover.showModal(); }); // Escape opens nothing
    document.body.append(this.cover);
  }
  // ``turn``: the seat of a person called ``name``.
  to(turn, name) {
    if (this.next === turn) return;
    this.next = turn;
    this.told.textContent = say("passTo", { name });
    this.button.textContent = say("passHere", { name });
    this.button.disabled = false;
    if (!this.cover.open) this.cover.showModal();
  }
  get isUp() {
    return this.next !== null;
  }
  over() {
    this.next = null;
    this.cover.close();
  }
}
