// Everything a page says by itself, in its reader's language. What a display says comes from the table.
import { LANGUAGES } from "./texts.js";

const KEY = "maexchen.language";
const known = (tag) => Object.keys(LANGUAGES).find((each) => tag?.toLowerCase().startsWith(each));
export const language = known(localStorage.getItem(KEY)) ?? known(navigator.language) ?? "en";
const { one, texts } = LANGUAGES[language];

// A text of several, with what it is about in its places.
export function filled(texts, name, places = {}) {
  if (!(name in texts)) throw new Error(`no words for ${name}`);
  return texts[name].replace(/\{(\w+)\}/g, (whole, key) => places[key] ?? whole);
}
export const say = (name, places) => filled(texts, name, places);
export const sayIfKnown = (name) => (name in texts ? say(name) : name);
// What a press does to something that is on now, or off.
export const sayToggle = (name, isOn) => say(`${name}_${isOn ? "off" : "on"}`);
// A noun after a count.
export const sayCount = (name, count) => say(one.includes(count) ? name : `${name}_many`);
// Writes the texts of a page; ``title``: the name of its title, "" for none.
export function dress(title, root = document) {
  document.documentElement.lang = language;
  if (title) document.title = say(title);
  for (const node of root.querySelectorAll("[data-say]")) node.textContent = say(node.dataset.say);
  for (const node of root.querySelectorAll("[data-label]")) node.setAttribute("aria-label", say(node.dataset.label));
  for (const node of root.querySelectorAll("[data-language]")) {
    for (const [tag, { name }] of Object.entries(LANGUAGES)) {
      const option = new Option(name, tag, false, tag === language);
      option.lang = tag;
      node.append(option);
    }
    node.addEventListener("change", () => {
      localStorage.setItem(KEY, node.value);
      location.reload();
    });
  }
}
