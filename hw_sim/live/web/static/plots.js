// What the sensors of a handheld felt in the last seconds, with the bounds by which its firmware judges it.
import { say, sayIfKnown } from "./words.js";
import { having, node } from "./nodes.js";

const SECONDS = 12, EVERY_S = 2;
const TILTED_DEG = 20; // from here on a dial moves
const VIGOROUS_G = 0.6; // so hard is a shake
// A word, its lines (column of a point, colour, name, whether it is a bound), its range, and where it has marks.
const PLOTS = [
  ["plotLight", [[1, "#ffd166", ""], [7, "#ff8a80", "liftedFrom", true], [8, "#86d3ea", "coveredBelow", true]], "log", [0.1, 1, 10, 100, 1000]],
  ["plotAccel", [[2, "#ff8a80", "x"], [3, "#8fd3a9", "y"], [4, "#86d3ea", "z"]], [-30, 30], [-20, -9.81, 0, 9.81, 20]],
  ["plotShake", [[9, "#ffb38a", ""], [() => VIGOROUS_G, "#ff8a80", "vigorousFrom", true]], [0, 1.6], [0.5, 1, 1.5]],
  ["plotTilt", [[5, "#d7b4ff", ""], [() => TILTED_DEG, "#ff8a80", "movesFrom", true], [() => -TILTED_DEG, "#ff8a80", "", true]], [-90, 90], [-60, 0, 60]],
  ["plotTouch", [[6, "#ffb38a", ""]], [-0.2, 1.2], [0, 1]],
];
const valueOf = (column, point) => (typeof column === "function" ? column(point) : point[column]);

export class Plots {
  constructor(root) {
    this.points = [];
    this.at = null; // where the pointer is: 0 at the left edge, 1 at the right
    this.plots = PLOTS.map(([word, lines, range, marks]) => this.#figure(root, word, lines, range, marks));
  }
  #figure(root, word, lines, range, marks) {
    const canvas = having(node("canvas"), { "role": "img", "aria-label": say(word) }), value = node("span");
    const legend = lines.filter(([, , name]) => name).map(([, colour, name, isBound]) => {
      const part = node("b", isBound ? "bound" : "", sayIfKnown(name));
      part.style.color = colour;
      return part;
    });
    canvas.addEventListener("pointermove", (event) => this.#point(event.offsetX / canvas.clientWidth));
    canvas.addEventListener("pointerleave", () => this.#point(null));
    root.append(node("figure", "plot", node("figcaption", "", say(word), ...legend, value), canvas));
    return { canvas, lines, range, marks, value };
  }
  #point(at) {
    this.at = at;
    this.draw();
  }
  clear() {
    this.points = [];
  }
  // ``now``: s; what is later belongs to another present.
  add(points, now) {
    this.points.push(...points);
    const from = (this.points.at(-1)?.[0] ?? 0) - SECONDS;
    this.points = this.points.filter(([t]) => t >= from && t <= now + 1);
    this.draw();
  }
  draw() {
    const last = this.points.at(-1);
    if (!last) return;
    const wanted = this.at === null ? last[0] : last[0] - SECONDS * (1 - this.at);
    const shown = this.points.findLast(([t]) => t <= wanted) ?? this.points[0];
    for (const plot of this.plots) {
      this.#draw(plot, last[0]);
      const values = plot.lines.filter(([, , , isBound]) => !isBound).map(([column]) => valueOf(column, shown).toFixed(1));
      plot.value.textContent = `${this.at === null ? "" : `${shown[0].toFixed(2)} s: `}${values.join(" · ")}`;
    }
  }
  #draw({ canvas, lines, range, marks }, now) {
    const dot = devicePixelRatio, w = canvas.width = canvas.clientWidth * dot, h = canvas.height = canvas.clientHeight * dot;
    const pen = canvas.getContext("2d"), floor = h - 11 * dot;
    const share = range === "log" ? (v) => (Math.log10(Math.max(0.01, v)) + 2) / 6 : (v) => (v - range[0]) / (range[1] - range[0]);
    const x = (t) => w * (1 - (now - t) / SECONDS), y = (v) => floor * (1 - Math.max(0, Math.min(1, share(v))));
    const line = (colour, wide, dash, ...path) => {
      pen.strokeStyle = colour;
      pen.lineWidth = wide * dot;
      pen.setLineDash(dash.map((each) => each * dot));
      pen.beginPath();
      path.forEach(([right, down], place) => (place ? pen.lineTo(right, down) : pen.moveTo(right, down)));
      pen.stroke();
    };
    pen.font = `${9 * dot}px sans-serif`;
    pen.fillStyle = "#ffffffa8";
    for (let s = Math.ceil((now - SECONDS) / EVERY_S) * EVERY_S; s <= now; s += EVERY_S) {
      line("#ffffff18", 1, [], [x(s), 0], [x(s), floor]);
      if (s >= 0) pen.fillText(`${s} s`, x(s) + 2 * dot, h - 2 * dot);
    }
    for (const mark of marks) {
      line("#ffffff18", 1, [], [0, y(mark)], [w, y(mark)]);
      pen.fillText(String(mark), 2 * dot, y(mark) - 2 * dot);
    }
    for (const [column, colour, , isBound] of lines) {
      line(colour, isBound ? 1 : 1.6, isBound ? [4, 4] : [], ...this.points.map((point) => [x(point[0]), y(valueOf(column, point))]));
    }
    if (this.at !== null) line("#ffffff80", 1, [], [w * this.at, 0], [w * this.at, floor]);
  }
}
