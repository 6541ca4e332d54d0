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
