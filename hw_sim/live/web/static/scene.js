// The table as who decides sees it: the others in turn, one's own cup and dice in front.
import { sayIfKnown } from "./words.js";
import { node } from "./nodes.js";
import { markOf } from "./guide.js";
import { die, drawn } from "./moments.js";

// A player: name, what they are like, how they stand, what they said, and their open dice.
function sitter({ names, kinds, order, standing }, seat, me) {
  const { open } = standing, shown = [open?.throw, ...(open?.done ?? [])].find((each) => each?.seat === seat);
  const dice = shown ? [...shown.aside.map((each) => die(each, "gold")), ...shown.dice.map((each) => die(each))] : [];
  return node("div", "sitter", node("p", "name", names[seat], " ", node("small", "", seat === order[0] ? me : kinds[seat] && sayIfKnown(kinds[seat])),
    node("span", "mark", ...markOf(standing, seat))), node("p", "thrown", ...dice));
}
// ``me``: what is said beside the name of who decides.
export function scene(table, me = "") {
  const [mine, ...others] = table.order, own = sitter(table, mine, me);
  own.classList.add("own");
  own.lastChild.append(...(table.cup ? [drawn("cup", `cup${table.dice.length ? " up" : ""}`)] : []), ...table.dice.map((each) => die(each)));
  return node("div", "scene", node("div", "others", ...others.map((seat) => sitter(table, seat, me))), own);
}
