// What everybody looks up for: a cup that was lifted, and what became of those who pay. Short; a touch skips it.
import { say } from "./words.js";
import { node } from "./guide.js";

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
const die = (pips) => {
  const made = node("span", "die");
  for (let place = 0; place < 9; place++) made.append(node("i", PIPS[pips].includes(place) ? "pip" : ""));
  return made;
};
const SHOWN_MS = 4500;

// A cup that was lifted: it tips, its dice lie there, and who pays is said.
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
