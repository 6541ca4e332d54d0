// Drawn faces: twelve for guests, six tin boxes for bots. A face is a string of SVG in a box of 200 by 200;
// its mood is lids, brows and mouth, its gaze two numbers from -1 to 1.
export const INK = "#1d1409";
const EDGE = `stroke="${INK}" stroke-width="7" stroke-linejoin="round" stroke-linecap="round"`;
const THIN = `stroke="${INK}" stroke-width="5" stroke-linejoin="round" stroke-linecap="round"`;

const shape = (d, fill, edge = EDGE) => `<path d="${d}" fill="${fill}" ${edge}/>`;
const line = (d, width = 7, colour = INK) => `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
const disc = (x, y, r, fill, edge = EDGE) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${edge}/>`;
const oval = (x, y, rx, ry, fill, edge = EDGE) => `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" ${edge}/>`;
const shine = (x, y, rx, ry) => `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="#fff" opacity=".24" transform="rotate(-28 ${x} ${y})"/>`;

const BROWN = "#3a2416", KEY = "#d9a83c";
// A box of tin with screws, and a key that winds it up.
const tin = (fill) => `<path d="M160 96 h18" ${EDGE} fill="none"/>${shape("M178 76 q14 -6 14 8 q0 6 -6 8 q6 2 6 8 q0 14 -14 8 z", KEY, THIN)}`
  + shape("M40 46 h114 q10 0 10 10 v112 q0 10 -10 10 h-114 q-10 0 -10 -10 v-112 q0 -10 10 -10 z", fill) + shine(62, 78, 13, 26)
  + [[44, 164], [150, 164]].map(([x, y]) => disc(x, y, 5, "#fff8", THIN)).join("");
const curl = (x, y, r = 22) => disc(x, y, r, BROWN);

// Of each face: its ``skin``, what is drawn ``behind`` and ``before`` eyes and mouth, where these are (``eye``: x apart
// from the middle, y, radius; ``mouth``: x, y, size), and the ``top`` of its head.
const FACES = {
  cap: { skin: "#f2a33c", eye: [29, 104, 18], mouth: [100, 146, 1], top: 30,
    behind: disc(100, 112, 68, "#f2a33c") + shine(68, 92, 14, 22),
    before: shape("M34 92 C30 46 66 26 104 26 C146 26 170 56 170 88 C128 76 78 78 34 92 z", "#3f7057") + shape("M38 88 C22 92 6 98 4 108 C24 116 62 98 96 84 C74 82 52 84 38 88 z", "#356049") + disc(104, 26, 6, "#3f7057", THIN) },
  bun: { skin: "#6db9f2", eye: [27, 110, 17], mouth: [100, 152, .85], top: 4,
    behind: disc(100, 24, 20, BROWN) + oval(100, 118, 58, 70, "#6db9f2") + shape("M42 112 C40 60 66 44 100 44 C134 44 160 60 158 112 C152 84 132 76 100 76 C68 76 48 84 42 112 z", BROWN) + shine(66, 128, 8, 16),
    before: `<g fill="none" ${THIN}><circle cx="73" cy="110" r="24"/><circle cx="127" cy="110" r="24"/><path d="M97 108 q3 -3 6 0 M49 106 l-7 -4 M151 106 l7 -4"/></g>` },
  beard: { skin: "#ef7e5a", eye: [30, 90, 17], mouth: [100, 142, .8], top: 38, brow: 9,
    behind: shape("M54 40 h92 q20 0 20 20 v70 q0 52 -66 54 q-66 -2 -66 -54 v-70 q0 -20 20 -20 z", "#ef7e5a") + shine(62, 66, 10, 18)
      + shape("M34 118 C54 124 78 132 90 126 Q100 122 110 126 C122 132 146 124 166 118 C168 166 148 188 100 188 C52 188 32 166 34 118 z", "#6b4526") },
  punk: { skin: "#d18ad9", eye: [26, 104, 17], mouth: [100, 148, .9], top: 12,
    behind: shape("M62 62 L56 30 L78 44 L84 10 L100 36 L118 8 L122 42 L146 30 L138 62 z", "#4d8a63") + oval(100, 114, 58, 66, "#d18ad9") + shine(70, 88, 11, 20) + disc(160, 132, 7, "#f2c45a", THIN) },
  patch: { skin: "#f4d94f", eye: [28, 108, 17], mouth: [100, 150, .9], top: 34, one: true,
    behind: shape("M166 84 L192 72 L184 92 L196 106 L168 98 z", "#c5352c") + disc(100, 114, 68, "#f4d94f") + shine(62, 124, 9, 18),
    before: shape("M32 92 C36 50 66 34 100 34 C134 34 164 50 168 92 C124 78 76 78 32 92 z", "#c5352c") + [[70, 62], [100, 52], [130, 62]].map(([x, y]) => `<circle cx="${x}" cy="${y}" r="6" fill="#fff5e6"/>`).join("")
      + line("M98 92 L172 126", 5) + shape("M106 94 h46 q2 36 -22 36 q-26 0 -24 -36 z", INK) },
  curls: { skin: "#88dcc1", eye: [28, 106, 17], mouth: [100, 150, 1], top: 18,
    behind: [[34, 120], [166, 120], [30, 88], [170, 88], [48, 58], [152, 58], [76, 40], [124, 40], [100, 36]].map(([x, y]) => curl(x, y)).join("") + disc(100, 116, 60, "#88dcc1") + [[70, 66], [100, 60], [130, 66]].map(([x, y]) => curl(x, y, 17)).join("") + shine(66, 124, 8, 16) },
  tophat: { skin: "#efe3c8", eye: [26, 110, 16], mouth: [100, 166, .6], top: -4,
    behind: oval(100, 122, 54, 66, "#efe3c8") + shine(66, 132, 8, 18),
    before: shape("M62 0 h76 l-6 66 h-64 z", "#33344a") + shape("M66 44 h68 l-2 18 h-64 z", "#c5352c", THIN) + shape("M34 70 q66 -20 132 0 q4 8 -4 10 q-62 -14 -124 0 q-8 -2 -4 -10 z", "#33344a")
      + shape("M100 142 C86 132 66 138 56 150 C52 142 46 140 44 134 C46 158 84 166 100 150 C116 166 154 158 156 134 C154 140 148 142 144 150 C134 138 114 132 100 142 z", BROWN, THIN)
      + `<circle cx="126" cy="110" r="22" fill="none" stroke="#e0aa35" stroke-width="6"/>` + line("M146 120 q10 20 4 40", 3, "#e0aa35") },
  braids: { skin: "#f59ba2", eye: [28, 110, 17], mouth: [100, 152, .95], top: 34,
    behind: [[36, 126], [34, 150], [38, 172], [164, 126], [166, 150], [162, 172]].map(([x, y]) => disc(x, y, 15, "#f2cf52")).join("") + shape("M24 184 h28 v10 h-28 z M148 184 h28 v10 h-28 z", "#d5342b", THIN) + disc(100, 116, 64, "#f59ba2") + shape("M36 112 C36 60 66 40 100 38 C134 40 164 60 164 112 C150 80 124 76 100 70 C76 76 50 80 36 112 z", "#f2cf52") + line("M100 40 v28", 4)
      + [[54, 138], [64, 144], [56, 150], [146, 138], [136, 144], [144, 150]].map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3.4" fill="#d0525c"/>`).join("") },
  fox: { skin: "#f08737", eye: [29, 100, 18], mouth: [100, 164, .75], top: 10,
    behind: shape("M48 92 L30 10 L88 54 z", "#f08737") + shape("M54 76 L44 34 L74 58 z", BROWN, THIN) + shape("M152 92 L170 10 L112 54 z", "#f08737") + shape("M146 76 L156 34 L126 58 z", BROWN, THIN)
      + shape("M100 46 C140 46 148 84 156 106 C166 128 176 140 174 154 C170 178 136 190 100 190 C64 190 30 178 26 154 C24 140 34 128 44 106 C52 84 60 46 100 46 z", "#f08737")
      + shape("M26 150 C52 134 82 140 100 148 C118 140 148 134 174 150 C174 176 136 190 100 190 C64 190 26 176 26 150 z", "#fff7e8"),
    before: oval(100, 138, 17, 12, INK, "") },
  frog: { skin: "#a6d04c", eye: [42, 66, 20], mouth: [100, 148, 1.25], top: 32,
    behind: disc(58, 64, 32, "#a6d04c") + disc(142, 64, 32, "#a6d04c") + shape("M100 52 C128 52 138 66 140 92 C152 114 172 128 172 150 C172 180 136 190 100 190 C64 190 28 180 28 150 C28 128 48 114 60 92 C62 66 72 52 100 52 z", "#a6d04c") + shine(84, 84, 12, 18) + line("M92 112 v2 M108 112 v2", 6) },
  owl: { skin: "#b5a1e6", eye: [29, 96, 17], mouth: [100, 162, .55], top: 22,
    behind: shape("M36 92 L36 22 L84 50 z", "#9a80d2") + shape("M164 92 L164 22 L116 50 z", "#9a80d2") + disc(100, 112, 72, "#b5a1e6") + disc(70, 98, 33, "#f4f0ff") + disc(130, 98, 33, "#f4f0ff") + line("M70 166 q10 8 20 0 q10 8 20 0 q10 8 20 0", 5),
    before: shape("M100 112 L114 130 L100 150 L86 130 z", "#f2a33c", THIN), noMouth: true },
  octo: { skin: "#ea6b91", eye: [28, 104, 18], mouth: [100, 148, 1], top: 34,
    behind: [[26, 166], [62, 184], [138, 184], [174, 166]].map(([x, y]) => disc(x, y, 19, "#ea6b91")).join("") + disc(100, 106, 70, "#ea6b91") + shine(66, 76, 14, 20) + [[138, 62], [152, 78]].map(([x, y]) => `<circle cx="${x}" cy="${y}" r="6" fill="#fff" opacity=".35"/>`).join("") },
  // The bots.
  klar: { skin: "#c8b698", eye: [28, 104, 18], mouth: [98, 150, .9], top: 40,
    behind: tin("#c8b698") + shape("M34 62 q-4 -22 20 -22 h86 q24 0 20 22 q-16 -8 -28 4 q-34 -12 -70 0 q-12 -12 -28 -4 z", "#6e4a2a") + shape("M34 176 q64 22 128 0 v12 q-64 20 -128 0 z", "#6e4a2a", THIN) },
  zitter: { skin: "#d6dae6", eye: [28, 100, 19], mouth: [98, 148, .9], top: 36,
    behind: shape("M30 140 L8 190 L92 190 z M164 140 L188 190 L104 190 z", "#86202c") + tin("#d6dae6") + shape("M28 66 Q28 38 52 38 L98 52 L142 38 Q166 38 166 66 L166 74 Q136 60 124 66 L98 92 L72 66 Q58 60 28 74 z", "#262634") },
  blitz: { skin: "#e8c3d6", eye: [30, 112, 17], mouth: [98, 154, 1], top: 8,
    behind: tin("#e8c3d6") + disc(98, 28, 22, "#eef0f6") + shape("M30 90 C30 54 64 46 98 46 C132 46 164 54 164 90 C138 70 58 70 30 90 z", "#eef0f6"),
    before: shape("M102 12 L86 32 h10 l-6 16 L110 26 h-11 z", "#f6c931", THIN) + `<g fill="none" stroke="#9b2d63" stroke-width="8" stroke-linejoin="round"><path d="M38 92 h56 l-6 40 q-20 8 -40 0 z M102 92 h56 l-10 40 q-20 8 -40 0 z"/></g>` },
  blubb: { skin: "#86cdf0", eye: [0, 0, 0], mouth: [0, 0, 0], top: 44, fish: true,
    behind: tin("#86cdf0") + line("M36 72 q14 -8 28 0 t28 0 t28 0 t28 0", 5, "#fff") },
  prof: { skin: "#c8dcc4", eye: [30, 104, 17], mouth: [98, 160, .7], top: 40,
    behind: [[24, 80], [20, 104], [170, 70]].map(([x, y]) => disc(x, y, 18, "#fff")).join("") + tin("#c8dcc4"),
    before: `<g fill="none" ${EDGE}><rect x="42" y="82" width="50" height="42" rx="8"/><rect x="104" y="82" width="50" height="42" rx="8"/><path d="M92 98 h12"/></g>` + shape("M98 136 q-26 -10 -36 10 q24 12 36 2 q12 10 36 -2 q-10 -20 -36 -10 z", "#fff", THIN) },
  hai: { skin: "#7f97a8", eye: [30, 96, 16], mouth: [98, 148, 0], top: 8, teeth: true,
    behind: shape("M84 48 Q92 14 126 8 Q112 28 122 48 z", "#7f97a8") + tin("#7f97a8") + shape("M30 128 q68 -16 134 0 v40 q0 10 -10 10 h-114 q-10 0 -10 -10 z", "#edf2f5", THIN) + line("M40 112 v12 M50 112 v10 M144 112 v10 M154 112 v12", 4) },
  tin: { skin: "#b9bfc6", eye: [30, 100, 18], mouth: [98, 150, 1], top: 44, behind: tin("#b9bfc6") },
};
export const DRAWN = Object.keys(FACES).slice(0, 12);
// How a face looks at a reaction. Each is in React of incoming.py too, and has the text react_…
export const REACTIONS = { laugh: "laugh", gasp: "shock", liar: "stern", cheers: "grin" };
// Which face a kind of bots has.
export const CHARACTERS = { honest: "Bruder Klar", trusting: "Graf Zitter", cheeky: "Oma Blitz", random: "Blubb", expert: "Prof. 36", shark: "Onkel Hai" };
export const BOTS = { honest: "klar", trusting: "zitter", cheeky: "blitz", random: "blubb", expert: "prof", skilled: "prof", shark: "hai", learner: "hai" };

const LIDS = { think: .42, smug: .5, stern: .22, sad: .12 };
const arc = (x, y, r, up) => line(`M${x - r} ${y} Q${x} ${y + (up ? -1 : 1) * 1.5 * r} ${x + r} ${y}`, 7);
const blink = (mood) => mood === "laugh" || mood === "sleep";

function eye(x, y, r, skin, mood, [gx, gy]) {
  if (blink(mood)) return arc(x, y + (mood === "sleep" ? 2 : 6), r * .8, mood === "laugh");
  const wide = mood === "shock" ? r * 1.22 : r, pupil = mood === "shock" ? r * .34 : r * .5;
  const far = wide - pupil - 3, at = [x + gx * far * .85, y + gy * far * .75];
  return disc(x, y, wide, "#fff", THIN) + `<g class="pupil"><circle cx="${at[0]}" cy="${at[1]}" r="${pupil}" fill="${INK}"/><circle cx="${at[0] + pupil * .35}" cy="${at[1] - pupil * .35}" r="${pupil * .28}" fill="#fff"/></g>`
    + (LIDS[mood] ? lidded(x, y, wide, LIDS[mood], skin) : "");
}
// A lid covers the upper part of an eye.
function lidded(x, y, r, part, skin) {
  const edge = y - r + 2 * r * part, half = Math.sqrt(Math.max(0, r * r - (edge - y) ** 2));
  return `<path d="M${x - half} ${edge} A${r} ${r} 0 ${part > .5 ? 1 : 0} 1 ${x + half} ${edge} z" fill="${skin}" ${THIN}/>`;
}

// How high each brow is over the nose, and at its end: left, right.
const BROWS = { stern: [[9, -5], [9, -5]], sad: [[-7, 7], [-7, 7]], think: [[5, 2], [-7, -9]], smug: [[6, -2], [-4, -7]], shock: [[-3, 2], [-3, 2]], grin: [[-3, 2], [-3, 2]] };
function brows(x, y, r, mood, more = 0) {
  const w = r * .95, up = y - r - 9 - (mood === "shock" ? 10 : 0), left = 100 - x, right = 100 + x;
  const brow = (at, inner, outer) => {
    const [a, b] = at < 100 ? [outer, inner] : [inner, outer];
    return line(`M${at - w} ${up + a} Q${at} ${up + (a + b) / 2 - 5} ${at + w} ${up + b}`, 7 + more);
  };
  const [one, other] = BROWS[mood] ?? (more ? [[0, 0], [0, 0]] : []);
  return one ? brow(left, ...one) + brow(right, ...other) : "";
}

const OPEN = "#5a1712", TONGUE = "#f27457";
function mouth(x, y, s, mood) {
  const at = (inside) => `<g transform="translate(${x} ${y}) scale(${s})">${inside}</g>`;
  if (mood === "grin") return at(shape("M-30 -10 H30 Q26 20 0 20 Q-26 20 -30 -10 z", "#fff", THIN) + line("M-12 -9 V16 M6 -9 V18", 3));
  if (mood === "laugh") return at(shape("M-34 -12 H34 Q32 30 0 30 Q-32 30 -34 -12 z", OPEN, EDGE) + `<path d="M-30 -9 H30 V-1 H-30 z" fill="#fff"/><path d="M-18 22 Q0 4 18 22 Q0 32 -18 22 z" fill="${TONGUE}"/>`);
  if (mood === "shock") return at(oval(0, 4, 15, 21, OPEN));
  if (mood === "sad") return at(line("M-24 12 Q0 -16 24 12"));
  if (mood === "smug") return at(line("M-26 4 Q4 18 28 -10"));
  if (mood === "think") return at(line("M-24 6 Q0 -4 24 -2"));
  if (mood === "sleep") return at(oval(0, 2, 7, 8, OPEN, THIN));
  if (mood === "stern") return at(line("M-24 4 l12 -9 l12 9 l12 -9 l12 9", 6));
  return at(line("M-26 -4 Q0 18 26 -4"));
}

function fish(mood, gaze) {
  const wink = mood === "shock" ? 1.3 : 1;
  return shape("M138 112 L160 92 Q168 112 160 132 z", "#f08a2b") + oval(98, 112, 46, 32, "#f08a2b") + line("M112 92 Q102 112 112 132", 4)
    + (blink(mood) ? arc(76, 108, 10, mood === "laugh") : disc(76, 104, 13 * wink, "#fff", THIN) + disc(76 + 5 * gaze[0] - 1, 104 + 5 * gaze[1], 6, INK, ""))
    + (mood === "laugh" || mood === "shock" ? disc(56, 124, 7, OPEN, THIN) : line(mood === "sad" ? "M54 128 q6 -8 14 -4" : "M54 122 q8 8 16 2", 5)) + disc(52, 70, 6, "#fff8", THIN) + disc(64, 58, 4, "#fff8", THIN);
}

const WIDE = ' transform="translate(98 150) scale(1.2 1.4) translate(-98 -154)"'; // the smile before a doubt
// The SVG of a face that is drawn: its inside, for a box of 200 by 200.
export function drawnFace(name, mood = "calm", gaze = [0, 0]) {
  const face = FACES[name] ?? FACES.tin;
  const [apart, y, r] = face.eye, middle = DRAWN.includes(name) ? 100 : 98;
  let inside = face.behind;
  if (face.fish) inside += fish(mood, gaze);
  else {
    inside += eye(middle - apart, y, r, face.skin, mood, gaze) + (face.one ? "" : eye(middle + apart, y, r, face.skin, mood, gaze));
    inside += brows(apart, y, r, mood, face.brow ? 3 : 0);
    if (face.teeth) inside += `<g${mood === "laugh" ? WIDE : ""}>${shape(mood === "sad" ? "M48 160 Q98 128 148 160 Q98 152 48 160 z" : "M46 140 Q98 158 150 140 Q140 172 98 172 Q56 172 46 140 z", OPEN) + (mood === "sad" ? "" : shape("M56 146 l9 12 l9 -9 l10 12 l10 -11 l10 11 l10 -12 l10 9 l9 -12 Q98 158 56 146 z", "#fff", `stroke="${INK}" stroke-width="3"`))}</g>`;
    else if (!face.noMouth || mood === "shock") inside += mouth(...face.mouth, mood);
    inside += face.before ?? "";
  }
  if (mood === "shock") inside += shape("M178 62 q14 20 0 26 q-14 -6 0 -26 z", "#8bd6ff", THIN);
  if (mood === "sleep") inside += `<g fill="#f6eeda" stroke="${INK}" stroke-width="4" paint-order="stroke" font-family="DejaVu Sans, sans-serif" font-weight="700" font-style="italic"><text x="158" y="44" font-size="36">z</text><text x="178" y="18" font-size="28">z</text></g>`;
  return inside;
}

// A face as an SVG element's text; an emoji is drawn by the system's font.
export function faceSvg(face, mood = "calm", gaze = [0, 0], attributes = "") {
  const inside = face in FACES ? drawnFace(face, mood, gaze)
    : `<text x="100" y="112" font-size="132" text-anchor="middle" dominant-baseline="middle" transform="rotate(${{ shock: -14, smug: 8, sad: 14, laugh: -6 }[mood] ?? 0} 100 100)">${escape(face)}</text>`;
  return `<svg viewBox="-10 -16 220 224" ${attributes} aria-hidden="true">${inside}</svg>`;
}
export const escape = (text) => text.replace(/[&<>"]/g, (each) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[each]);
export const topOf = (face) => FACES[face]?.top ?? 40;

// Things on the big screen that are drawn: numerals, dice, the cup, matches, mugs, crowns. Each is a string of SVG.
const BOLD = `stroke="${INK}" stroke-width="8" stroke-linejoin="round" stroke-linecap="round"`;
const path = (d, fill, edge = BOLD) => `<path d="${d}" fill="${fill}" ${edge}/>`;
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
  return svg("0 0 160 172", `<rect x="6" y="14" width="148" height="152" rx="30" fill="#b98e78"/><rect x="6" y="6" width="148" height="148" rx="30" fill="${face}" ${BOLD}/><rect x="15" y="15" width="130" height="130" rx="22" fill="none" stroke="#fff" stroke-width="5" opacity=".8"/>${spots}`);
}

const STAVES = ["#a5764a", "#8f6238", "#7b522d", "#6b4424", "#58351b"];
export const cup = () => svg("0 0 220 260", `<ellipse cx="110" cy="240" rx="104" ry="18" fill="#0007"/>`
  + `<path d="M52 18 Q110 2 168 18 L206 226 Q110 262 14 226 z" fill="${STAVES[2]}"/>`
  + STAVES.map((fill, i) => { const a = 52 + i * 23.2, b = 14 + i * 38.4; return `<path d="M${a} 14 h23.4 L${b + 38.4} 236 H${b} z" fill="${fill}" clip-path="url(#cupedge)"/>`; }).join("")
  + `<clipPath id="cupedge"><path d="M52 18 Q110 2 168 18 L206 226 Q110 262 14 226 z"/></clipPath>`
  + `<ellipse cx="110" cy="20" rx="58" ry="13" fill="#a5764a" stroke="${INK}" stroke-width="5"/>`
  + `<path d="M47 50 Q110 72 173 50" fill="none" stroke="#f6eeda" stroke-width="5" stroke-dasharray="13 10"/>`
  + path("M22 178 Q110 214 198 178 L203 206 Q110 244 17 206 z", "#f2c45a", `stroke="${INK}" stroke-width="6"`)
  + `<path d="M52 18 Q110 2 168 18 L206 226 Q110 262 14 226 z" fill="none" ${BOLD}/>`);

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
export const board = () => svg("0 0 64 64", `<rect x="4" y="12" width="56" height="42" rx="8" fill="#d9503f" ${BOLD.replace('"8"', '"6"')}/><rect x="12" y="20" width="28" height="18" rx="2" fill="${INK}"/><path d="M16 26 h14 M16 32 h20" stroke="#86d3ff" stroke-width="4"/><circle cx="50" cy="28" r="5" fill="${INK}"/><circle cx="50" cy="43" r="4" fill="#f2c45a"/>`);
export const phone = () => svg("0 0 130 230", `<rect x="5" y="5" width="120" height="220" rx="18" fill="${INK}" stroke="#f6eeda" stroke-width="8"/><path d="M38 108 q10 10 20 0 M74 108 q10 10 20 0" fill="none" stroke="#f6eeda" stroke-width="5" stroke-linecap="round"/><ellipse cx="66" cy="140" rx="10" ry="6" fill="#f6eeda"/>` + [[104, 34, 26], [138, -4, 34]].map(([x, y, wide]) => `<path d="M${x} ${y} h${wide} l-${wide} ${wide} h${wide}" fill="none" stroke="#f2c45a" stroke-width="13" stroke-linecap="round" stroke-linejoin="round"/>`).join(""));
// A ring to swim in, before and behind the swimmer.
export const ring = () => svg("0 0 660 260", `<path d="M22 58 Q60 12 130 40 Q160 130 330 140 Q500 130 530 40 Q600 -10 638 40 Q650 150 540 200 Q440 246 330 246 Q210 246 110 196 Q0 140 22 58 z" fill="#fff8ea" ${BOLD}/>`
  + path("M22 58 Q60 12 130 40 Q140 84 184 110 L118 200 Q0 140 22 58 z", "#e04630") + path("M264 134 Q330 146 396 134 L410 242 Q330 252 256 242 z", "#e04630") + path("M530 40 Q600 -10 638 40 Q650 150 540 200 L478 112 Q520 84 530 40 z", "#e04630"));
export const sound = (name) => ({ liar: svg("0 0 120 96", path("M8 10 h104 v58 h-58 l-22 22 v-22 h-24 z", "#fff") + `<path d="M60 20 v24" stroke="#b3261e" stroke-width="14" stroke-linecap="round"/><circle cx="60" cy="58" r="7" fill="#b3261e"/>`), cheers: mug() })[name];
