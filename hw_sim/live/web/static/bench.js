// What goes on inside a handheld, and all that can be done to it from outside.
import { dress, say } from "./words.js";
import { Table } from "./socket.js";
import { Device, controls, listenToKeys } from "./device.js";
import { node } from "./nodes.js";
import { askFor, save } from "./files.js";
import { showRules } from "./guide.js";

const find = (id) => document.getElementById(id);
const notice = find("notice");
const FAULTS = ["display", "accelerometer", "light", "stuck", "brownout", "link", "battery"];
const SECONDS = 12, MOST_ROWS = 400;
const TILTED_DEG = 20; // from here on a dial moves
// A word, lines (their column, colour and name), the range of the plot, and where it has marks.
const PLOTS = [
  ["plotLight", [[1, "#ffd166", ""]], "log", [0.1, 1, 10, 100, 1000]],
  ["plotAccel", [[2, "#ff8a80", "x"], [3, "#8fd3a9", "y"], [4, "#86d3ea", "z"]], [-30, 30], [-20, -9.81, 0, 9.81, 20]],
  ["plotTilt", [[5, "#d7b4ff", ""]], [-90, 90], [-60, -TILTED_DEG, 0, TILTED_DEG, 60]],
  ["plotTouch", [[6, "#ffb38a", ""]], [-0.2, 1.2], [0, 1]],
];
let device = null, seat = 0, broken = [], points = [], paused = false, past = false, seeking = false, keyed = false, entitled = [];
dress();
document.title = say("benchTitle");

const buttons = FAULTS.map((name) => {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = say(name === "display" ? "display_" : name);
  button.dataset.fault = name;
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => table.send({ do: "fault", seat, name, on: !broken.includes(name) }));
  find("faults").append(button);
  return button;
});
const plots = PLOTS.map(([word, lines, range, marks]) => {
  const figure = document.createElement("figure"), caption = document.createElement("figcaption");
  const canvas = document.createElement("canvas"), value = document.createElement("span");
  figure.className = "plot";
  const legend = lines.map(([, colour, name]) => {
    const part = document.createElement("b");
    part.append(name);
    part.style.color = colour;
    return part;
  });
  caption.append(say(word), ...legend, value);
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", say(word));
  figure.append(caption, canvas);
  find("plots").append(figure);
  return { canvas, lines, range, marks, value };
});
function draw() {
  const last = points.at(-1);
  if (!last) return;
  for (const { canvas, lines, range, marks, value } of plots) {
    const w = canvas.width = canvas.clientWidth * devicePixelRatio, h = canvas.height = canvas.clientHeight * devicePixelRatio;
    const pen = canvas.getContext("2d");
    const scale = range === "log" ? (v) => 1 - (Math.log10(Math.max(0.01, v)) + 2) / 6 : (v) => 1 - (v - range[0]) / (range[1] - range[0]);
    pen.strokeStyle = "#ffffff18";
    for (let s = Math.ceil(last[0] - SECONDS); s <= last[0]; s++) {
      const x = w * (1 - (last[0] - s) / SECONDS);
      pen.beginPath(); pen.moveTo(x, 0); pen.lineTo(x, h); pen.stroke();
    }
    pen.font = `${9 * devicePixelRatio}px sans-serif`;
    pen.fillStyle = "#ffffff90";
    for (const mark of marks) {
      const y = h * scale(mark);
      pen.beginPath(); pen.moveTo(0, y); pen.lineTo(w, y); pen.stroke();
      pen.fillText(String(mark), 2 * devicePixelRatio, y - 2 * devicePixelRatio);
    }
    for (const [column, colour] of lines) {
      pen.strokeStyle = colour;
      pen.lineWidth = 1.6 * devicePixelRatio;
      pen.beginPath();
      points.forEach((point, index) => {
        const x = w * (1 - (last[0] - point[0]) / SECONDS), y = h * Math.max(0, Math.min(1, scale(point[column])));
        index ? pen.lineTo(x, y) : pen.moveTo(x, y);
      });
      pen.stroke();
    }
    value.textContent = lines.map(([column]) => last[column].toFixed(1)).join(" · ");
  }
}
function choose(next) {
  seat = next;
  device = new Device(names[seat], table.seat === seat ? table : null);
  find("device").replaceChildren(device.root);
  find("controls").replaceChildren(...(table.seat === seat ? [controls(device, table)] : []));
  if (table.seat === seat && !keyed) {
    keyed = true;
    listenToKeys({ latch: () => device.latch(), setLift: (on) => device.setLift?.(on), key: (key, on) => table.mine({ do: "key", key, on }) }, table);
  }
  points = [];
  find("bus").replaceChildren();
  const kept = panels[seat];
  if (kept) device.panel(...kept);
  device.state(states[seat] ?? {});
  device.says(texts[seat] ?? "");
  exports();
}
function exports() {
  const files = [["bus.vcd", "VCD"], ["session.jsonl", "Session"], ["panel.png", say("clip")], ["panel.gif", say("film")]].map(([file, word]) => {
    const button = node("button", "", word);
    button.type = "button";
    button.addEventListener("click", async () => {
      const answer = await askFor(`/export/${file}?seat=${seat}`);
      if (answer.ok) save(await answer.blob(), file);
      else notice.textContent = say("refused");
    });
    return button;
  });
  find("exports").replaceChildren(...files);
}
let names = [];
const panels = {}, states = {}, texts = {};
const table = new Table("bench", null, {
  welcome(news) {
    names = news.names;
    entitled = news.entitled;
    notice.textContent = news.rights ? "" : say("noRights");
    showRules(find("told"), news);
    if (!entitled.length) return;
    find("seat").replaceChildren(...entitled.map((each) => new Option(names[each], each)));
    choose(entitled.includes(seat) ? seat : entitled[0]);
    find("seat").value = String(seat);
  },
  panel(of, contrast, memory) { panels[of] = [contrast, memory.slice()]; if (of === seat) device?.panel(contrast, memory); },
  says(news) { texts[news.seat] = news.text; if (news.seat === seat) device?.says(news.text); },
  heard({ lines }) {
    for (const text of lines) {
      const line = document.createElement("p");
      line.textContent = text;
      find("story").append(line);
    }
    find("story").scrollTop = 1e9;
  },
  state(news) {
    for (const [of, state] of Object.entries(news.seats)) {
      states[of] = { ...states[of], ...state };
      if (Number(of) !== seat || !device) continue;
      device.state(state);
      if ("faults" in state) {
        broken = state.faults;
        for (const button of buttons) {
          const { fault } = button.dataset, isBroken = broken.includes(fault);
          button.setAttribute("aria-pressed", String(isBroken));
          button.textContent = say(fault === "display" ? "display_" : fault) + (isBroken ? ` – ${say("undo")}` : "");
        }
      }
    }
    if ("speed" in news) { find("speed").value = String(Math.log10(news.speed)); find("speedOut").textContent = `${news.speed.toPrecision(2)}×`; }
    if ("paused" in news) { paused = news.paused; find("pause").textContent = say(paused ? "go" : "pause"); }
    if ("past" in news) { past = news.past; find("live").hidden = !past; notice.textContent = past ? say("past") : ""; }
    if (news.trouble) notice.textContent = news.trouble;
  },
  bench(news) {
    find("when").textContent = `${news.t.toFixed(2)} s`;
    find("seek").max = news.end.toFixed(1);
    if (!seeking) { find("seek").value = String(news.t); find("seekOut").textContent = `${news.t.toFixed(1)} s`; }
    const mine = news.seats[seat];
    if (mine) {
      points.push(...mine.points);
      const from = (points.at(-1)?.[0] ?? 0) - SECONDS;
      points = points.filter((point) => point[0] >= from && point[0] <= news.t + 1);
      rows(find("bus"), mine.bus.map((line) => [
        line.left_out ? "bad" : line.read ? "read" : line.level === undefined ? "write" : "",
        line.left_out ? ["", "", "", `… ${line.left_out}`]
          : [(line.t_us / 1e6).toFixed(6), line.part, line.register ?? "", line.level === undefined ? line.meaning : `= ${line.level}`],
      ]));
      draw();
    }
    rows(find("air"), news.air.map((each) => ["", [(each.t_us / 1e6).toFixed(3), `${names[each.from]} → ${names[each.to]}`, `${each.size} B`, each.about]]));
  },
  again() {
    for (const place of ["story", "bus", "air"]) find(place).replaceChildren();
    points = [];
  },
  refused({ why }) { notice.textContent = say(why === "disk" ? "disk" : "refused"); },
  ended(_code, reason) { notice.textContent = `${say("closed")} ${reason}`; },
  gone() { notice.textContent = say("gone"); },
});
function rows(body, lines) {
  if (!lines.length) return;
  const box = body.closest(".scroll"), follows = box.scrollTop + box.clientHeight > box.scrollHeight - 40;
  for (const [kind, cells] of lines) {
    const row = document.createElement("tr");
    row.className = kind;
    for (const text of cells) row.insertCell().textContent = text;
    body.append(row);
  }
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
find("seek").addEventListener("change", (event) => { seeking = false; points = []; find("bus").replaceChildren(); table.send({ do: "seek", s: Number(event.target.value) }); });
for (const [id, value, shown] of [["lux", (v) => 10 ** v, (v) => v.toFixed(1)], ["noise", (v) => v, (v) => v.toFixed(1)], ["errors", (v) => v, (v) => v.toFixed(1)]]) {
  const slider = find(id);
  const show = () => { find(`${id}Out`).textContent = shown(value(Number(slider.value))); };
  slider.addEventListener("input", show);
  slider.addEventListener("change", () => table.send({ do: id, value: value(Number(slider.value)) }));
  show();
}
