// The stage of the big screen: its scale, its texts, and how things come and go.
import { LANGUAGES } from "./texts.js";
import { escape } from "./faces.js";
import { node } from "./nodes.js";
import { filled } from "./words.js";

export const WIDE = 1920, HIGH = 1080;
export const stage = document.getElementById("stage");
const CALM = matchMedia("(prefers-reduced-motion: reduce)");
export const isCalm = () => CALM.matches;

export function scale() {
  const k = Math.min(innerWidth / WIDE, innerHeight / HIGH);
  stage.style.transform = `translate(${(innerWidth - WIDE * k) / 2}px, ${(innerHeight - HIGH * k) / 2}px) scale(${k})`;
}
addEventListener("resize", scale);
scale();

// The texts, in the language of the room.
const words = { language: "en" };
export const speak = (language) => {
  words.language = language in LANGUAGES ? language : "en";
  document.documentElement.lang = words.language;
};
export const spokenLanguage = () => words.language;
export const tell = (name, places) => filled(LANGUAGES[words.language].screen, name, places);
export const wordsName = (words) => LANGUAGES[spokenLanguage()].words[words.toUpperCase()];
// Several names in one sentence.
export const listed = (names) => new Intl.ListFormat(words.language).format(names);
export const valueName = (value) => LANGUAGES[words.language].values[value] ?? "";
// German owners: the phone "von" somebody keeps every name as it is. French: "d'" before a vowel.
export const rich = (name, places = {}, marked = {}, mark = (inside) => `<span class="gold">${inside}</span>`) => escape(tell(name)).replace(/\{(\w+)\}/g, (whole, key) => (key in marked ? mark(escape(String(marked[key]))) : key in places ? escape(String(places[key])) : whole));

// ``inside``: HTML, or elements.
export function make(className, inside = "", at = {}) {
  const made = node("div", className, ...(typeof inside === "string" ? [] : [inside].flat()));
  if (typeof inside === "string") made.innerHTML = inside;
  return put(made, at);
}
// Sets properties of its style; those with a short name are in px of the stage.
const PX = { x: "left", y: "top", w: "width", h: "height", size: "font-size" };
export function put(made, at) {
  for (const [key, value] of Object.entries(at)) made.style.setProperty(PX[key] ?? key, key in PX ? `${value}px` : value);
  return made;
}
// A line of text, as large as fits between ``size`` and ``least``; it is on the stage already.
export function fit(made, most, size, least = 60) {
  made.style.fontSize = `${size}px`;
  const box = made.scrollWidth > made.clientWidth && made.clientWidth ? made.scrollWidth : measure(made);
  if (box > most) made.style.fontSize = `${Math.max(least, Math.floor(size * most / box))}px`;
  return made;
}
// Writes a line of text on a scene that is on the stage.
export function write(scene, className, text, at, most, size, least) {
  const made = make(className, escape(text), at);
  scene.append(made);
  return fit(made, most, size, least);
}
function measure(made) {
  const range = document.createRange();
  range.selectNodeContents(made);
  const { width } = range.getBoundingClientRect(), k = stage.getBoundingClientRect().width / WIDE;
  return width / (k || 1);
}

const EASE = { pop: "cubic-bezier(.2,1.6,.4,1)", travel: "cubic-bezier(.3,.9,.3,1)", out: "ease-out", hit: "cubic-bezier(.2,.8,.3,1)" };
// Animates transform and opacity; resolved when it is over, at once where nobody looks.
export function move(made, frames, ms, ease = "out", more = {}) {
  const plain = isCalm() ? [{ opacity: frames[0].opacity ?? 0 }, { opacity: frames.at(-1).opacity ?? 1 }] : frames;
  const moving = made.animate(plain, { duration: isCalm() ? Math.min(ms, 200) : ms, easing: EASE[ease] ?? ease, fill: "both", ...more });
  moving.finished.catch(() => {});
  return moving;
}
export const appear = (made, ms = 350) => move(made, [{ transform: "scale(.4)", opacity: 0 }, { transform: "scale(1)", opacity: 1 }], ms, "pop");

// Time of a scene that can be cut short: what waits goes on at once.
export class Beats {
  cut() {
    this.isCut = true;
    this.skip?.();
  }
  // Waits, and the next throw may cut it short.
  rest(ms) {
    this.cuttable = true;
    return this.wait(ms);
  }
  wait(ms) {
    if (this.isCut) return Promise.resolve();
    return new Promise((done) => {
      const timer = setTimeout(done, ms);
      this.skip = () => { clearTimeout(timer); done(); };
    });
  }
}
// One line at a time for those who hear the page.
export function announce(text) {
  document.getElementById("voice").textContent = text;
}
