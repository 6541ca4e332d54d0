// What all look up for: a cup that was lifted, what became of those who pay, and the card of a match.
import { ask } from "./line.js";
import { language, say } from "./words.js";
import { give, shares } from "./files.js";
import { button, drawing, having, node } from "./nodes.js";
import { die as dieSvg } from "./faces.js";

const ICON = new URL("icon.svg", import.meta.url).pathname;
export const die = (pips, tone) => drawing("die", dieSvg(pips, tone));
export const drawn = (part, className) => drawing(className, `<svg viewBox="0 0 60 56"><use href="${ICON}#${part}"/></svg>`);
const SHOWN_MS = 4500;
const isMaexchen = (dice) => dice.length === 2 && dice.includes(2) && dice.includes(1);

// The cup tips, its dice lie there, and who pays, swims or is out is said. A touch or a key skips it. ``done``: called when
// it is gone.
export function showMoment(room, moment, names, sounds, done = () => {}) {
  room.querySelector(".verdict")?.remove();
  const { dice, announced, announcer, lied, payers, swims, out } = moment;
  const named = (seats, word) => (seats.length ? say(word, { name: seats.map((seat) => names[seat]).join(", ") }) : "");
  const value = Math.max(...dice) * 10 + Math.min(...dice);
  const told = announced !== null ? say(lied ? "wasLie" : "wasTrue", { name: names[announcer], said: announced, was: value })
    : dice.length ? say("shownMaexchen") : "";
  const card = having(node("div", "verdict", node("div", "thrown"), node("p", "", told)), { "aria-hidden": true }); // the story says it
  card.classList.toggle("lied", lied);
  card.classList.toggle("gold", isMaexchen(dice));
  if (dice.length) card.firstChild.append(drawn("cup", "tipping"), ...dice.map((each) => die(each)));
  const fate = out.length ? "wentOut" : swims.length ? "nowSwims" : "pays";
  const who = out.length ? out : swims.length ? swims : payers;
  if (who.length) card.append(node("p", "pays", drawn(out.length ? "smoke" : swims.length ? "wave" : "match", `fate ${fate}`), named(who, fate)));
  const skip = () => {
    card.remove();
    removeEventListener("keydown", onKey);
    done();
  };
  const onKey = (event) => { if (event.key === "Escape") skip(); };
  card.addEventListener("click", skip);
  addEventListener("keydown", onKey);
  room.append(card);
  setTimeout(skip, SHOWN_MS);
  sounds.moment(dice.length, fate);
}

// Who lied, who was caught: a picture, and a button that saves it as one. A big screen may show the end before the
// handheld that draws the card.
const CARD_MS = 1000;
export function matchCard() {
  const picture = node("img");
  picture.alt = say("card");
  const whole = node("a", "", picture); // as large as one likes
  const draw = () => ask(`/card.svg?language=${language}`).then(async (answer) => { whole.href = picture.src = URL.createObjectURL(new Blob([await answer.text()], { type: "image/svg+xml" })); });
  picture.addEventListener("error", () => setTimeout(() => picture.isConnected && draw(), CARD_MS));
  draw();
  whole.target = "_blank";
  const keep = button("", () => {
    const canvas = node("canvas");
    canvas.width = 2 * picture.naturalWidth;
    canvas.height = 2 * picture.naturalHeight;
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => give(blob, "maexchen.png"));
  }, say(shares() ? "shareCard" : "saveCard"));
  return node("figure", "match-card", whole, keep);
}
