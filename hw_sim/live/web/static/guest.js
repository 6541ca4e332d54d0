// What a phone is for besides its handheld: to look up from, to react with, and to set the room.
import { DISPLAY_LETTERS, LANGUAGES, NAME_BYTES } from "./texts.js";
import { DRAWN, REACTIONS, faceSvg } from "./faces.js";
import { button, drawing, field, having, labelled, node, setting, status } from "./nodes.js";
import { backKey } from "./socket.js";
import { say, sayToggle } from "./words.js";

// What lies over the handheld, or is there in its place: the first that is so; "" while the handheld itself is there.
const OVER = {
  ended: (now) => now.ended, // the seat is given up, or another's
  passing: (now) => now.passing, // several people share this page, and the next one takes it
  lobby: (now) => now.gathers || now.plans,
  offline: (now) => now.offline, // the line above the handheld says so
  menu: (now) => now.menu, // the header, which opens it, stands over the dark page
  eyes: (now) => now.screen && (now.held || (now.waits && !now.reveals)),
  verdict: (now) => now.verdict,
};
export const overlayOf = (now) => Object.keys(OVER).find((name) => OVER[name](now)) ?? "";

// The dark page of those who wait while a big screen shows everything. ``changed``: called when it is shown or hidden by hand.
export class EyesUp {
  constructor(table, changed) {
    this.reveals = false;
    const reveal = (on) => {
      this.reveals = on;
      changed();
    };
    this.said = node("p", "before");
    this.reactions = node("div", "reactions");
    this.show = button("quietly", () => reveal(true), sayToggle("handheld", false));
    this.root = node("section", "eyes-up", node("p", "arrow", "↑"), node("h2", "", say("eyesUp")), this.said, this.reactions, this.show);
    this.back = button("quietly back", () => reveal(false), sayToggle("handheld", true));
    this.buttons = Object.entries(REACTIONS).map(([reaction, mood]) => {
      const picture = node("span", "picture");
      const made = button("", () => {
        table.send({ do: "react", as: reaction });
        made.classList.add("sent");
        setTimeout(() => made.classList.remove("sent"), 600);
      }, picture, say(`react_${reaction}`));
      this.reactions.append(made);
      return { picture, mood, made, reaction };
    });
    document.body.append(this.root, this.back);
  }
  face(face) {
    if (this.drawn === face) return;
    this.drawn = face;
    for (const { picture, mood } of this.buttons) picture.innerHTML = faceSvg(face || "cap", mood);
  }
  // ``waits``: nothing is asked of this phone; ``held``: a cup is being lifted, and reactions are shut; ``before``: how
  // many others have their turn first, null for none; ``lies``: whether anybody may lie in this game; ``missing``: that somebody does not answer.
  tell({ waits, held, before, lies, missing }) {
    if (waits !== this.waits) this.reveals = false;
    this.waits = waits;
    this.said.textContent = missing || (held || before === null ? "" : before > 0 ? say("before", { n: before }) : say("before_0"));
    for (const { made, reaction } of this.buttons) Object.assign(made, { disabled: held, hidden: reaction === "liar" && !lies });
    this.reactions.hidden = missing !== ""; // the line needs their room
    this.show.hidden = held;
  }
  // ``over``: what lies over the handheld.
  lies(over, { screen, waits, held }) {
    this.root.hidden = over !== "eyes";
    this.back.hidden = over !== "" || !(screen && waits && this.reveals && !held);
  }
}

// The big screen, as every guest may set it, and its language for the host.
export function roomControls(table, { room, host }) {
  const volume = field({ type: "range", min: 0, max: 1, step: .05, value: room.volume });
  volume.addEventListener("change", () => table.send({ do: "room", volume: Number(volume.value) }));
  const choice = (word, key, ...each) => setting(say(word), ...each.map(([text, value]) => [text, value === room[key], () => table.send({ do: "room", [key]: value })]));
  return node("div", "room", ...(host ? [choice("roomSpeaks", "language", ...Object.keys(LANGUAGES).map((tag) => [tag.toUpperCase(), tag]))] : []),
    labelled(say("screenVolume"), volume),
    choice("botsSpeak", "silent", [say("option_true"), false], [say("option_false"), true]));
}

// After a match: what nobody saw is told by its liar, or by nobody. Who has nothing of that is not asked.
// ``own``: this phone's handheld, which alone knows the lies about its own dice.
export function confession(table, own, lies) {
  if (!lies) return [];
  const { told, caught, hidden, of } = lies, more = of === null ? 0 : own.lies(of);
  if (more === undefined || (more !== null && hidden + more === 0)) return []; // the handheld is asked; or all is known
  if (more === null) return [node("section", "confession", node("p", "", say("confessGone")))];
  const answer = (tells) => () => {
    made.inert = true;
    if (tells && of !== null) own.post("confess", of);
    else table.send({ do: "confess", tells, ...(of !== null && { of }) });
  };
  const made = node("section", "confession", node("h2", "", say("confess")),
    node("p", "", say("confessCount", { n: told + more, c: caught })),
    node("div", "", button("", answer(false), say("confessNever")), button("again", answer(true), say("confessAll"))));
  return [made];
}

// A drawn face, with the number by which it is read out.
export const drawnFace = (face) => having(drawing("drawn", faceSvg(face)), { "role": "img", "aria-label": `${say("faceOf")} ${DRAWN.indexOf(face) + 1}` });
// What this guest alone knows: with these faces another phone comes back in place of this one.
export function threeFaces() {
  const kept = localStorage.getItem(backKey)?.split(" ") ?? [];
  if (!kept.length) return [];
  return [node("section", "back-faces", node("p", "", say("yourFaces")), node("div", "", ...kept.map((face) => drawnFace(face))))];
}

const size = (text) => new TextEncoder().encode(text).length;
const tidied = (typed) => typed.trim().split(/\s+/u).join(" ").normalize("NFC");
// The beginning of a name that a frame bears, as game/names.py cuts it: no letter or picture in half.
function fitting(name) {
  if (size(name) <= NAME_BYTES || !Intl.Segmenter) return "";
  let kept = "";
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(name)) {
    if (size(kept + segment) > NAME_BYTES) break;
    kept += segment;
  }
  const words = name[kept.length] === " " ? kept : kept.slice(0, Math.max(kept.lastIndexOf(" "), 0));
  return words || kept;
}
// Why a seat is refused; ``typed``: the name that was wanted.
export function refusal(why, typed = "") {
  const name = tidied(typed), fits = fitting(name);
  return say(`why_${why === "long" && !fits ? "long_0" : why}`, { n: size(name), most: NAME_BYTES, fits });
}
// The runs of letters for which the display has no shapes, even without accents, as firmware/display/oled/font.py parts them.
function withoutShapes(name) {
  const runs = [""];
  for (const { segment } of Intl.Segmenter ? new Intl.Segmenter().segment(name) : []) {
    if (!DISPLAY_LETTERS.includes(segment.normalize("NFD").match(/./u)[0])) runs[runs.length - 1] += segment;
    else if (runs.at(-1)) runs.push("");
  }
  return runs.filter(Boolean);
}
// The picture that the display draws for such a run: a mirrored pattern of its CRC-32.
function displayPicture(run) {
  let sum = -1, d = "";
  for (const byte of new TextEncoder().encode(run)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 && 0xedb88320);
  }
  for (let at = 0; at < 49; at++) {
    const x = at % 7, y = (at - x) / 7;
    if (~sum >>> (4 * y + Math.min(x, 6 - x)) & 1) d += `M${x} ${y}h1v1h-1z`;
  }
  return drawing("display-picture", `<svg viewBox="-1 -1 9 9" width="36" height="36" aria-hidden="true"><path d="${d}"/></svg>`);
}
// A field for a name tells while somebody types that a name is too long, and offers what fits; or what the display draws for it.
export function watchName(input) {
  const told = node("span", "name-told"), why = status("span"), take = button("small", () => {
    input.value = take.textContent;
    look();
    input.focus();
  });
  const pictures = node("span", "");
  told.append(why, " ", pictures, take);
  input.after(told);
  function look() {
    const name = tidied(input.value), isLong = size(name) > NAME_BYTES, runs = isLong ? [] : withoutShapes(name);
    why.textContent = isLong ? refusal("long", name) : runs.length ? say("why_picture", { letters: runs.join(" ") }) : "";
    pictures.replaceChildren(...runs.map(displayPicture));
    input.setCustomValidity(isLong ? why.textContent : "");
    take.textContent = isLong ? fitting(name) : "";
    take.hidden = !take.textContent;
    told.hidden = !why.textContent;
  }
  input.addEventListener("input", look);
  look();
}
