// Elements, made in one line.
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
// Words that are read out when they change.
export function status(kind, className = "") {
  const made = node(kind, className);
  made.setAttribute("role", "status");
  return made;
}
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
// What is drawn, from the text of an SVG.
export const drawing = (className, svg) => Object.assign(node("span", className), { innerHTML: svg });
// A row of a table; ``kind``: of its cells.
export const row = (kind, texts) => node("tr", "", ...texts.map((text) => node(kind, "", text)));
// A table that scrolls where it is wider than the page.
export function scrolled([head, rows], called) {
  const made = node("div", "scroll", node("table", "", node("thead", "", row("th", head)), node("tbody", "", ...rows.map((each) => row("td", each)))));
  made.tabIndex = 0;
  made.setAttribute("role", "region");
  made.setAttribute("aria-label", called);
  return made;
}
// Buttons beside each other that stay pressed; each has what is on it, whether it is on, and what a press does.
export function choices(className, called, ...each) {
  const made = node("div", className, ...each.map(([inside, on, done]) => {
    const one = button("", done, ...[inside].flat());
    one.setAttribute("aria-pressed", String(on));
    return one;
  }));
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", called);
  return made;
}
// A setting of a match or of the room: a sentence, and its choices.
export const setting = (sentence, ...each) => node("div", "option", node("span", "", sentence), choices("segments", sentence, ...each));
// An option of a game as it is told in ``games``; ``chosen``: its value, undefined for the usual one. ``set`` gets another.
export function optionField({ sentence, default: usual, choices: values, labels, least, greatest }, chosen, set, event) {
  const value = chosen ?? usual;
  if (values) return setting(sentence, ...values.map((each, place) => [labels[place], each === value, () => set(each)]));
  return labelled(sentence, numberField(value, least, greatest, set, event));
}
