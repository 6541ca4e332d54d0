// What goes on inside a handheld, and all that can be done to it from outside.
import { dress, say, sayToggle } from "./words.js";
import { Table } from "./socket.js";
import { Device, controls, listenToKeys } from "./device.js";
import { button, find, having, node, row } from "./nodes.js";
import { save } from "./files.js";
import { ask } from "./line.js";
import { showRules } from "./guide.js";
import { Plots } from "./plots.js";

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
