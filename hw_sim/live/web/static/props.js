// Things on the big screen that are drawn: numerals, dice, the cup, matches, mugs, crowns. Each is a string of SVG.
import { INK } from "./faces.js";

const EDGE = `stroke="${INK}" stroke-width="8" stroke-linejoin="round" stroke-linecap="round"`;
const path = (d, fill, edge = EDGE) => `<path d="${d}" fill="${fill}" ${edge}/>`;
export const svg = (box, inside, attributes = "") => `<svg viewBox="${box}" ${attributes} aria-hidden="true">${inside}</svg>`;

// Six strokes: the same on every computer. Each in a box of 100 by 140.
const STROKES = {
  1: "M30 40 L58 16 V124", 2: "M18 46 A33 33 0 1 1 76 68 L20 124 H84", 3: "M20 16 H80 L48 58 A33 33 0 1 1 18 100",
  4: "M66 124 V16 L14 94 H88", 5: "M80 16 H30 L25 64 A34 34 0 1 1 18 104", 6: "M70 16 C40 32 17 62 17 90 A33 33 0 1 0 83 90 A33 33 0 1 0 17 90",
};
export const isDrawn = (number) => /^[1-6]+$/.test(String(number));
export function numerals(number, colour = INK) {
  const digits = [...String(number)];
  return svg(`0 0 ${digits.length * 112 - 12} 140`, digits.map((each, place) => `<path d="${STROKES[each]}" transform="translate(${place * 112} 0)" fill="none" stroke="${colour}" stroke-width="29" stroke-linecap="round" stroke-linejoin="round"/>`).join(""), 'class="numerals"');
}

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
// A die; 0 is one that nobody has seen. ``tone``: "gold" of one that was turned.
export function die(pips, tone = "") {
  const face = tone === "gold" ? "#ffdf8e" : "#fbf7ea";
  const spots = pips ? PIPS[pips].map((place) => `<circle cx="${38 + 42 * (place % 3)}" cy="${38 + 42 * Math.floor(place / 3)}" r="${pips === 1 ? 17 : 14.5}" fill="${pips === 1 ? "#c23b2e" : INK}"/>`).join("")
    : `<text x="80" y="118" font-size="110" font-weight="700" text-anchor="middle" fill="#a59c83" font-family="DejaVu Sans, Verdana, sans-serif">?</text>`;
  return svg("0 0 160 172", `<rect x="6" y="14" width="148" height="152" rx="30" fill="#b98e78"/><rect x="6" y="6" width="148" height="148" rx="30" fill="${face}" ${EDGE}/><rect x="15" y="15" width="130" height="130" rx="22" fill="none" stroke="#fff" stroke-width="5" opacity=".8"/>${spots}`);
}

const STAVES = ["#a5764a", "#8f6238", "#7b522d", "#6b4424", "#58351b"];
export const cup = () => svg("0 0 220 260", `<ellipse cx="110" cy="240" rx="104" ry="18" fill="#0007"/>`
  + `<path d="M52 18 Q110 2 168 18 L206 226 Q110 262 14 226 z" fill="${STAVES[2]}"/>`
  + STAVES.map((fill, i) => { const a = 52 + i * 23.2, b = 14 + i * 38.4; return `<path d="M${a} 14 h23.4 L${b + 38.4} 236 H${b} z" fill="${fill}" clip-path="url(#cupedge)"/>`; }).join("")
  + `<clipPath id="cupedge"><path d="M52 18 Q110 2 168 18 L206 226 Q110 262 14 226 z"/></clipPath>`
  + `<ellipse cx="110" cy="20" rx="58" ry="13" fill="#a5764a" stroke="${INK}" stroke-width="5"/>`
  + `<path d="M47 50 Q110 72 173 50" fill="none" stroke="#f6eeda" stroke-width="5" stroke-dasharray="13 10"/>`
  + path("M22 178 Q110 214 198 178 L203 206 Q110 244 17 206 z", "#f2c45a", `stroke="${INK}" stroke-width="6"`)
  + `<path d="M52 18 Q110 2 168 18 L206 226 Q110 262 14 226 z" fill="none" ${EDGE}/>`);

export const match = (state) => state === "burnt"
  ? svg("0 0 40 110", `<path d="M16 102 Q6 82 22 62" fill="none" stroke="#0008" stroke-width="12" stroke-linecap="round"/><path d="M16 102 Q6 82 22 62" fill="none" stroke="#8d9a8c" stroke-width="6" stroke-linecap="round"/>`)
  : svg("0 0 40 110", (state === "burns" ? `<path d="M20 4 C34 18 36 30 30 42 Q20 50 10 42 C2 28 12 20 20 4 z" fill="#ff8a2a" stroke="${INK}" stroke-width="5"/><path d="M20 20 q10 12 0 22 q-10 -10 0 -22 z" fill="#ffd58a"/>` : "")
    + `<rect x="13" y="36" width="14" height="70" fill="${state === "burns" ? "#6b4430" : "#fbe6b3"}" stroke="${INK}" stroke-width="5"/>` + (state === "burns" ? "" : `<ellipse cx="20" cy="24" rx="12" ry="17" fill="#e2402f" stroke="${INK}" stroke-width="5"/>`));

export const mug = () => svg("0 0 190 220", path("M128 92 h24 q28 0 28 28 v32 q0 28 -28 28 h-24 v-20 h18 q14 0 14 -14 v-20 q0 -14 -14 -14 h-18 z", "#f6eeda")
  + path("M22 66 h110 v132 q0 12 -12 12 h-86 q-12 0 -12 -12 z", "#f5b63a") + [48, 76, 104].map((x) => `<rect x="${x}" y="92" width="10" height="96" rx="5" fill="#fbdc8e"/>`).join("")
  + path("M18 70 q-18 -24 10 -34 q8 -28 38 -18 q26 -22 44 2 q28 -2 26 24 q16 14 0 30 q-14 14 -30 2 q-14 16 -34 4 q-18 14 -32 0 q-14 6 -22 -10 z", "#fffaf0"));
export const coaster = () => svg("0 0 64 64", `<circle cx="32" cy="32" r="29" fill="#fff7e6" stroke="${INK}" stroke-width="4"/><circle cx="32" cy="32" r="22" fill="none" stroke="#c5352c" stroke-width="4"/><path d="M22 22 h14 v22 h-14 z M36 27 h5 q4 0 4 4 v4 q0 4 -4 4 h-5" fill="none" stroke="${INK}" stroke-width="4"/>`);
export const crown = () => svg("0 0 140 104", path("M16 94 L8 26 L44 58 L70 14 L96 58 L132 26 L124 94 z", "#f2c45a") + [[8, 22], [70, 12], [132, 22]].map(([x, y]) => `<circle cx="${x}" cy="${y}" r="9" fill="#e2402f" stroke="${INK}" stroke-width="5"/>`).join(""), 'overflow="visible"');
// Points, in chalk.
export const slate = () => svg("0 0 64 64", path("M6 8 h52 v48 h-52 z", "#2c3a40", 'stroke="#c79a5b" stroke-width="6"') + `<path d="M19 20 v25 M28 20 v25 M37 20 v25 M46 20 v25 M13 42 L52 24" stroke="#f6eeda" stroke-width="4" stroke-linecap="round"/>`);
// A handheld without a phone: its display, and the lid.
export const board = () => svg("0 0 64 64", `<rect x="4" y="12" width="56" height="42" rx="8" fill="#d9503f" ${EDGE.replace('"8"', '"6"')}/><rect x="12" y="20" width="28" height="18" rx="2" fill="${INK}"/><path d="M16 26 h14 M16 32 h20" stroke="#86d3ff" stroke-width="4"/><circle cx="50" cy="28" r="5" fill="${INK}"/><circle cx="50" cy="43" r="4" fill="#f2c45a"/>`);
export const phone = () => svg("0 0 130 230", `<rect x="5" y="5" width="120" height="220" rx="18" fill="${INK}" stroke="#f6eeda" stroke-width="8"/><path d="M38 108 q10 10 20 0 M74 108 q10 10 20 0" fill="none" stroke="#f6eeda" stroke-width="5" stroke-linecap="round"/><ellipse cx="66" cy="140" rx="10" ry="6" fill="#f6eeda"/>` + [[104, 34, 26], [138, -4, 34]].map(([x, y, wide]) => `<path d="M${x} ${y} h${wide} l-${wide} ${wide} h${wide}" fill="none" stroke="#f2c45a" stroke-width="13" stroke-linecap="round" stroke-linejoin="round"/>`).join(""));
// A ring to swim in, before and behind the swimmer.
export const ring = () => svg("0 0 660 260", `<path d="M22 58 Q60 12 130 40 Q160 130 330 140 Q500 130 530 40 Q600 -10 638 40 Q650 150 540 200 Q440 246 330 246 Q210 246 110 196 Q0 140 22 58 z" fill="#fff8ea" ${EDGE}/>`
  + path("M22 58 Q60 12 130 40 Q140 84 184 110 L118 200 Q0 140 22 58 z", "#e04630") + path("M264 134 Q330 146 396 134 L410 242 Q330 252 256 242 z", "#e04630") + path("M530 40 Q600 -10 638 40 Q650 150 540 200 L478 112 Q520 84 530 40 z", "#e04630"));
export const sound = (name) => ({ liar: svg("0 0 120 96", path("M8 10 h104 v58 h-58 l-22 22 v-22 h-24 z", "#fff") + `<path d="M60 20 v24" stroke="#b3261e" stroke-width="14" stroke-linecap="round"/><circle cx="60" cy="58" r="7" fill="#b3261e"/>`), cheers: mug() })[name];
