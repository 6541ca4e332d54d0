// A first match that teaches itself: what is new is said once, beside the display, until it is learned.
import { say, sayToggle } from "./words.js";
import { button, node } from "./nodes.js";

const KEY = "maexchen.learned";
const READ_MS = 3_000; // a hint that was there for so long was read
const ALL = "all"; // no more lessons are wanted

export class Lessons {
  constructor() {
    const address = new URL(location.href);
    if (address.searchParams.has("learn")) { // once more from the beginning
      localStorage.removeItem(KEY);
      address.searchParams.delete("learn");
      history.replaceState(null, "", address);
    }
    this.learned = new Set((localStorage.getItem(KEY) ?? "").split(",").filter(Boolean));
    this.said = new Set();
    this.before = this.learned.size;
    this.title = node("b");
    this.says = node("span");
    this.next = button("", () => this.#learn(this.now.name), say("understood"));
    this.skip = button("quiet-button", () => this.#learn(ALL), sayToggle("hints", true));
    this.root = node("section", "lesson", node("p", "", this.title, " ", this.says), node("div", "row", this.next, this.skip));
    this.root.hidden = true;
    this.asked = { lessons: [], learned: [] };
  }
  get wanted() { return !this.learned.has(ALL); }
  // ``asked``: what can be learned at what is shown now, and what whoever sees it has learned.
  at(asked) {
    this.asked = asked;
    for (const name of asked.learned) if (!this.learned.has(name)) this.#keep(name);
    const before = this.now, now = performance.now();
    // What is learned by reading goes by itself, too, once what it is about has gone by.
    if (before?.by_reading && now - this.since >= READ_MS && !asked.lessons.some(({ name }) => name === before.name)) this.#keep(before.name);
    this.now = this.learned.has(ALL) ? undefined : asked.lessons.find(({ name }) => !this.learned.has(name));
    this.root.hidden = !this.now;
    const room = this.root.closest(".seat, #hand");
    if (room) room.dataset.lesson = this.now?.name ?? "";
    if (!this.now || before?.name === this.now.name) return;
    this.since = now;
    this.next.hidden = !this.now.by_reading;
    // Numbered as they come: a match may begin with an offer.
    this.said.add(this.now.name); // one thing that is done may teach two
    this.title.textContent = `${this.before + [...this.said].indexOf(this.now.name) + 1} ${this.now.title.replace(/^\d+ /, "")}`;
    this.says.textContent = this.now.says;
  }
  // ``button``: it hides the hints, or shows them from the first one on.
  toggledBy(button) {
    this.toggle = button;
    button.onclick = () => { if (this.wanted) this.#learn(ALL); else this.#again(); };
    this.#label();
  }
  #label() { if (this.toggle) this.toggle.textContent = sayToggle("hints", this.wanted); }
  #again() {
    this.learned.clear();
    this.said.clear();
    this.before = 0;
    this.now = undefined;
    localStorage.removeItem(KEY);
    this.at({ ...this.asked, learned: [] });
    this.#label();
  }
  #learn(name) {
    this.#keep(name);
    this.at(this.asked);
  }
  #keep(name) {
    this.learned.add(name);
    localStorage.setItem(KEY, [...this.learned].join(","));
    this.#label();
  }
}
