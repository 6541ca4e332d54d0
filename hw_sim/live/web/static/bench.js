// What goes on inside a handheld, and all that can be done to it from outside.
import { dress, say, sayIfKnown, sayToggle } from "./words.js";
import { Table } from "./socket.js";
import { Device, controls, listenToKeys } from "./device.js";
import { button, find, having, node, row } from "./nodes.js";
import { save } from "./files.js";
import { ask } from "./line.js";
import { showRules } from "./guide.js";

// What the sensors of a handheld felt in the last seconds, with the bounds by which its firmware judges it.
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

class Plots {
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

const notice = find("notice");
const FAULTS = ["display", "accelerometer", "light", "stuck", "brownout", "link", "battery"];
const MOST_ROWS = 400;
let device = null, seat = 0, broken = [], paused = false, past = false, seeking = false;
dress("benchTitle");

const buttons = FAULTS.map((name) => {
  const toggle = () => table.send({ do: "fault", seat, name, on: !broken.includes(name) });
  const made = having(button("", toggle, say(name === "display" ? "display_" : name)), { "data-fault": name, "aria-pressed": false });
  find("faults").append(made);
  return made;
});
const plots = new Plots(find("plots"));
function choose(next) {
  seat = next;
  device = new Device(names[seat], table.seat === seat ? table : null);
  find("device").replaceChildren(device.root);
  find("controls").replaceChildren(...(table.seat === seat ? [controls(device, table)] : []));
  plots.clear();
  find("bus").replaceChildren();
  const kept = panels[seat];
  if (kept) device.panel(...kept);
  device.state(states[seat] ?? {});
  device.says(texts[seat] ?? "");
  exports();
}
function exports() {
  const files = [["bus.vcd", "VCD"], ["session.jsonl", "Session"], ["panel.png", say("clip")], ["panel.gif", say("film")]].map(([file, word]) => button("", async () => {
    const answer = await ask(`/export/${file}?seat=${seat}`);
    if (answer.ok) save(await answer.blob(), file);
    else notice.textContent = say("refused");
  }, word));
  find("exports").replaceChildren(...files);
}
let names = [];
const panels = {}, states = {}, texts = {};
const table = new Table("bench", null, {
  welcome(news) {
    names = news.names;
    notice.textContent = news.rights ? "" : say("noRights");
    showRules(find("told"), news);
    const { entitled } = news;
    if (!entitled.length) return;
    find("seat").replaceChildren(...entitled.map((each) => new Option(names[each], each)));
    choose(entitled.includes(seat) ? seat : entitled[0]);
    find("seat").value = String(seat);
  },
  panel(of, contrast, memory) { panels[of] = [contrast, memory.slice()]; if (of === seat) device?.panel(contrast, memory); },
  says(news) { texts[news.seat] = news.text; if (news.seat === seat) device?.says(news.text); },
  heard({ lines }) {
    find("story").append(...lines.map((text) => node("p", "", text)));
    find("story").scrollTop = 1e9;
  },
  state(news) {
    for (const [of, state] of Object.entries(news.seats)) {
      states[of] = { ...states[of], ...state };
      if (Number(of) !== seat || !device) continue;
      device.state(state);
      if ("faults" in state) {
        broken = state.faults;
        for (const each of buttons) {
          const { fault } = each.dataset, isBroken = broken.includes(fault);
          each.setAttribute("aria-pressed", String(isBroken));
          each.textContent = say(fault === "display" ? "display_" : fault) + (isBroken ? ` – ${say("undo")}` : "");
        }
      }
    }
    if ("speed" in news) { find("speed").value = String(Math.log10(news.speed)); find("speedOut").textContent = `${news.speed.toPrecision(2)}×`; }
    if ("paused" in news) { paused = news.paused; find("pause").textContent = sayToggle("match", !paused); }
    if ("past" in news) { past = news.past; find("live").hidden = !past; notice.textContent = past ? say("past") : ""; }
    if (news.trouble) notice.textContent = news.trouble;
  },
  bench(news) {
    find("when").textContent = `${news.t.toFixed(2)} s`;
    find("seek").max = news.end.toFixed(1);
    if (!seeking) { find("seek").value = String(news.t); find("seekOut").textContent = `${news.t.toFixed(1)} s`; }
    const mine = news.seats[seat];
    if (mine) {
      plots.add(mine.points, news.t);
      rows(find("bus"), mine.bus.map((line) => [
        line.left_out ? "bad" : line.read ? "read" : line.level === undefined ? "write" : "",
        line.left_out ? ["", "", "", `… ${line.left_out}`]
          : [(line.t_us / 1e6).toFixed(6), line.part, line.register ?? "", line.level === undefined ? line.meaning : `= ${line.level}`],
      ]));
    }
    rows(find("air"), news.air.map((each) => ["", [(each.t_us / 1e6).toFixed(3), `${names[each.from]} → ${names[each.to]}`, `${each.size} B`, each.about]]));
  },
  again() {
    for (const place of ["story", "bus", "air"]) find(place).replaceChildren();
    plots.clear();
  },
  refused({ why }) { notice.textContent = say(why === "disk" ? "disk" : "refused"); },
  ended(_code, reason) { notice.textContent = `${say("closed")} ${reason}`; },
  gone() { notice.textContent = say("gone"); },
});
listenToKeys(() => device, table);
function rows(body, lines) {
  if (!lines.length) return;
  const box = body.closest(".scroll"), follows = box.scrollTop + box.clientHeight > box.scrollHeight - 40;
  body.append(...lines.map(([kind, cells]) => Object.assign(row("td", cells), { className: kind })));
  while (body.rows.length > MOST_ROWS) body.rows[0].remove();
  if (follows) box.scrollTop = box.scrollHeight;
}
find("seat").addEventListener("change", (event) => choose(Number(event.target.value)));
find("pause").addEventListener("click", () => table.send({ do: "pause", on: !paused }));
find("step").addEventListener("click", () => { table.send({ do: "pause", on: true }); table.send({ do: "step", ms: 0 }); });
find("long").addEventListener("click", () => { table.send({ do: "pause", on: true }); table.send({ do: "step", ms: 100 }); });
find("live").addEventListener("click", () => table.send({ do: "live" }));
find("speed").addEventListener("change", (event) => table.send({ do: "speed", x: Math.max(0.1, Math.min(50, 10 ** Number(event.target.value))) }));
find("seek").addEventListener("input", (event) => { seeking = true; find("seekOut").textContent = `${Number(event.target.value).toFixed(1)} s`; });
find("seek").addEventListener("change", (event) => { seeking = false; plots.clear(); find("bus").replaceChildren(); table.send({ do: "seek", s: Number(event.target.value) }); });
for (const [id, value, shown] of [["lux", (v) => 10 ** v, (v) => v.toFixed(1)], ["noise", (v) => v, (v) => v.toFixed(1)], ["errors", (v) => v, (v) => v.toFixed(1)]]) {
  const slider = find(id);
  const show = () => { find(`${id}Out`).textContent = shown(value(Number(slider.value))); };
  slider.addEventListener("input", show);
  slider.addEventListener("change", () => table.send({ do: id, value: value(Number(slider.value)) }));
  show();
}
