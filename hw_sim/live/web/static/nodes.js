// Elements, found and made in one line.
export const find = (id) => document.getElementById(id);
export const node = (kind, className, ...children) => {
  const made = document.createElement(kind);
  if (className) made.className = className;
  made.append(...children);
  return made;
};
export const button = (className, done, ...inside) => {
  const made = node("button", className, ...inside);
  made.type = "button";
  made.addEventListener("click", done);
  return made;
};
// Sets attributes of an element, and returns it.
export function having(made, attributes) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}
// Words that are read out when they change.
export const status = (kind, className = "") => having(node(kind, className), { role: "status" });
// Calls ``begin`` when a pointer presses an element, and ``end`` when it lets go, wherever that is.
const LETS_GO = ["pointerup", "pointercancel", "blur"];
export function whilePressed(made, begin, end) {
  made.addEventListener("contextmenu", (event) => event.preventDefault());
  made.addEventListener("pointerdown", (pressed) => {
    if (pressed.button) return;
    try { made.setPointerCapture(pressed.pointerId); } catch { /* gone already */ }
    begin(pressed);
    const over = new AbortController(), letGo = ({ pointerId = pressed.pointerId }) => {
      if (pointerId !== pressed.pointerId) return; // another finger
      over.abort();
      end();
    };
    for (const each of LETS_GO) addEventListener(each, letGo, { signal: over.signal });
  });
  return made;
}
// Copies a text; whether the browser lets it.
export const copied = async (text) => navigator.clipboard?.writeText(text).then(() => true, () => false) ?? false;
// A field of a form; ``what``: its type and all else that it has.
export const field = (what, className = "") => Object.assign(node("input", className), { autocomplete: "off", ...what });
// A field for a number; ``set`` gets each one within its bounds at an ``event``.
export function numberField(value, min, max, set, event = "change") {
  const made = field({ type: "number", inputMode: "numeric", min, max, value });
  made.addEventListener(event, () => made.value && made.checkValidity() && set(Number(made.value)));
  return made;
}
// A control with words before it.
export const labelled = (words, ...control) => node("label", "option", node("span", "", words), ...control);
// A link in words.
export const link = (words, address, className = "") => Object.assign(node("a", className, words), { href: address });
// A picture from the text of an SVG; ``called``: what it is.
export const picture = (svg, called) => having(node("img", "evening-picture"), { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: called });
// What is drawn, from the text of an SVG.
export const drawing = (className, svg) => Object.assign(node("span", className), { innerHTML: svg });
// A row of a table; ``kind``: of its cells.
export const row = (kind, texts) => node("tr", "", ...texts.map((text) => node(kind, "", text)));
// A table that scrolls where it is wider than the page.
export function scrolled([head, rows], called) {
  const table = node("table", "", node("thead", "", row("th", head)), node("tbody", "", ...rows.map((each) => row("td", each))));
  return having(node("div", "scroll", table), { "tabindex": 0, "role": "region", "aria-label": called });
}
// Buttons beside each other that stay pressed; each has what is on it, whether it is on, and what a press does.
export function choices(className, called, ...each) {
  const made = each.map(([inside, on, done]) => having(button("", done, ...[inside].flat()), { "aria-pressed": on }));
  return having(node("div", className, ...made), { "role": "group", "aria-label": called });
}
// A setting of a match or of the room: a sentence, and its choices.
export const setting = (sentence, ...each) => node("div", "option", node("span", "", sentence), choices("segments", sentence, ...each));
// An option of a game as it is told in ``games``; ``chosen``: its value, undefined for the usual one. ``set`` gets another.
export function optionField({ sentence, default: usual, choices: values, labels, least, greatest }, chosen, set, event) {
  const value = chosen ?? usual;
  if (values) return setting(sentence, ...values.map((each, place) => [labels[place], each === value, () => set(each)]));
  return labelled(sentence, numberField(value, least, greatest, set, event));
}
