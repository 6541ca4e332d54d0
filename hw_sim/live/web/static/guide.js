// Beside a handheld that is played: whose turn it is, what can be done now, and the thing to touch lit.
import { language, say } from "./words.js";

const HOW = { shake: "shake", lift: "lid", cover: "lid", tilt: "arrows", tap: "pad", hold: "padHeld" };
const STANDS = { swims: "swims", out: "out", safe: "safe", left: "left_" };
const BUZZ = { offer: [60, 50, 60], turn: [40], end: [120] };

export const node = (kind, className, ...children) => {
  const made = document.createElement(kind);
  if (className) made.className = className;
  made.append(...children);
  return made;
};

export class Guide {
  constructor(device, table) {
    this.device = device;
    this.says = node("p", "says");
    this.says.setAttribute("role", "status");
    this.ways = node("ul", "ways");
    this.end = node("div", "end");
    this.root = node("div", "guide", this.says, this.ways, this.end);
    this.table = table;
    this.title = document.title;
    this.occasion = "";
  }

  asked({ says, occasion, ways }) {
    this.says.textContent = says;
    const due = new Set();
    this.ways.replaceChildren(...ways.map(({ gesture, does, due: isDue }) => {
      if (isDue) due.add(gesture === "cover" ? "lift" : gesture);
      const way = node("li", isDue ? "due" : "", node("b", "", say(HOW[gesture])), " ", does);
      return way;
    }));
    const root = this.device.root;
    for (const gesture of ["shake", "lift", "tilt", "tap", "hold"]) {
      (root.closest(".seat, #hand") ?? root).classList.toggle(`due-${gesture}`, due.has(gesture));
    }
    this.root.classList.toggle("yours", occasion === "turn" || occasion === "offer");
    document.title = this.root.classList.contains("yours") ? `● ${this.title}` : this.title;
    if (occasion !== this.occasion && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BUZZ[occasion] ?? []);
    this.occasion = occasion;
  }

  over(isOver) {
    this.end.replaceChildren();
    if (!isOver || this.table.seat === null) return;
    const again = node("button", "again", say("again"));
    again.type = "button";
    again.addEventListener("click", () => this.table.send({ do: "again" }));
    this.end.append(again);
    if (this.table.rights) { // who plays alone
      const judged = node("a", "", say("judged"));
      judged.href = `/judged?language=${language}&token=${encodeURIComponent(this.table.token)}`;
      judged.target = "_blank";
      this.end.append(" ", judged);
    }
  }
}

// What is public of how a player stands, as little as fits beside a name.
export function score({ count, unit, status }) {
  const shown = node("span", "score");
  const words = `${count} ${say(count === 1 ? unit : `${unit}s`)}${status ? `, ${say(STANDS[status])}` : ""}`;
  const signs = unit === "match" && count <= 9 ? "❙".repeat(count) || "–" : String(count);
  const picture = node("span", "", signs, status ? ` ${say(STANDS[status])}` : "");
  picture.setAttribute("aria-hidden", "true");
  shown.title = words;
  shown.append(picture, node("span", "hidden", words));
  return shown;
}

export const bidOf = (bid) => (bid.words ? `${say(`said_${bid.words}`)} (${bid.value})` : String(bid.value));

// All values from low to high, with the one that has to be beaten.
export class Ladder {
  constructor(values) {
    this.cells = new Map(values.map((value) => [value, node("li", "", String(value))]));
    this.told = node("p", "standing");
    this.root = node("section", "ladder", node("h2", "", say("ladder")), node("ol", "", ...this.cells.values()), this.told);
    this.root.hidden = values.length === 0;
  }
  stands(bid, names) {
    let beats = bid === null;
    for (const [value, cell] of this.cells) {
      const stands = bid !== null && value === bid.value;
      cell.classList.toggle("beats", beats);
      cell.toggleAttribute("aria-current", stands);
      if (stands) beats = true;
    }
    this.told.textContent = bid === null ? say("noBid") : say("bidBy").replace("{name}", names[bid.by]).replace("{value}", bidOf(bid));
  }
}

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
const die = (pips) => {
  const made = node("span", "die");
  for (let place = 0; place < 9; place++) made.append(node("i", PIPS[pips].includes(place) ? "pip" : ""));
  return made;
};
const SHOWN_MS = 4500;

// A cup that was lifted: it tips, its dice lie there, and who pays is said. A click skips it.
export function showVerdict(room, lifted, names) {
  room.querySelector(".verdict")?.remove();
  const value = (pips) => Math.max(...pips) * 10 + Math.min(...pips);
  const { dice, announced, announcer, lied, payers } = lifted;
  const told = announced === null ? say("shownMaexchen")
    : say(lied ? "wasLie" : "wasTrue").replace("{name}", names[announcer]).replace("{said}", announced).replace("{was}", value(dice));
  const pays = payers.length ? say("pays").replace("{name}", payers.map((seat) => names[seat]).join(", ")) : "";
  const cup = node("span", "tipping");
  cup.innerHTML = '<svg viewBox="0 0 60 56"><use href="/static/icon.svg#cup"/></svg>';
  const card = node("div", `verdict${lied ? " lied" : ""}`, node("div", "thrown", cup, ...dice.map(die)), node("p", "", told), node("p", "pays", pays));
  card.setAttribute("aria-hidden", "true"); // the story says it
  card.addEventListener("click", () => card.remove());
  room.append(card);
  setTimeout(() => card.remove(), SHOWN_MS);
}
