// A first match that teaches itself: what is new is said once, beside the display, until it is learned.
import { say } from "./words.js";
import { node } from "./nodes.js";

const KEY = "maexchen.learned";
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
    this.title = node("b");
    this.says = node("span");
    this.next = node("button", "", say("understood"));
    this.skip = node("button", "quiet-button", say("noLessons"));
    this.next.type = this.skip.type = "button";
    this.next.addEventListener("click", () => this.#learn(this.now.name));
    this.skip.addEventListener("click", () => this.#learn(ALL));
    this.root = node("section", "lesson", node("p", "", this.title, " ", this.says), node("div", "row", this.next, this.skip));
    this.root.setAttribute("role", "status");
    this.root.hidden = true;
    this.asked = { lessons: [], learned: [] };
  }
  // ``asked``: what can be learned at what is shown now, and what whoever sees it has learned.
  at(asked) {
    this.asked = asked;
    for (const name of asked.learned) if (!this.learned.has(name)) this.#keep(name);
    this.now = this.learned.has(ALL) ? undefined : asked.lessons.find(({ name }) => !this.learned.has(name));
    this.root.hidden = !this.now;
    const room = this.root.closest(".seat, #hand");
    if (room) room.dataset.lesson = this.now?.name ?? "";
    if (!this.now || this.title.textContent === this.now.title) return;
    this.next.hidden = !this.now.by_reading;
    this.title.textContent = this.now.title;
    this.says.textContent = this.now.says;
  }
  again() {
    this.learned.clear();
    localStorage.removeItem(KEY);
    this.at({ ...this.asked, learned: [] });
  }
  #learn(name) {
    this.#keep(name);
    this.at(this.asked);
  }
  #keep(name) {
    this.learned.add(name);
    localStorage.setItem(KEY, [...this.learned].join(","));
  }
}
