// The whole table: everybody in a circle, one's own handheld large in front where one plays.
import { dress, language, say } from "./words.js";
import { Table } from "./socket.js";
import { Device, controls, listenToKeys } from "./device.js";

const find = (id) => document.getElementById(id);
const felt = find("felt"), story = find("story"), notice = find("notice"), cup = find("cup");
let devices = [], captions = [], seats = [], welcome = null, again = null, playing = null;

dress();
document.title = say("title");

function place(count, index, mine) {
  // Seats on an ellipse; with one's own in front the others share the far side.
  const first = { 3: 212, 4: 203, 5: 198 }[count] ?? 190;
  const turn = mine === null ? 90 + (360 / count) * index
    : (count === 2 ? 270 : first + ((540 - 2 * first) / (count - 2)) * ((index - mine - 1 + count) % count));
  if (mine !== null && innerWidth <= 900) {
    const others = count - 1, row = (index - mine - 1 + count) % count, first = Math.min(others, 4);
    return row < first ? [50 + 84 * ((row + 0.5) / first - 0.5), others > 4 ? 12 : 17]
      : [50 + 84 * ((row - first + 0.5) / (others - first) - 0.5), 35];
  }
  const angle = turn * Math.PI / 180;
  return mine === null ? [50 + 36 * Math.cos(angle), 49 + 34 * Math.sin(angle)]
    : [50 + 39 * Math.cos(angle), 48 + 29 * Math.sin(angle)];
}

function setTable(news) {
  welcome = news;
  find("game").textContent = news.title[language];
  find("told").replaceChildren(...news.rules[language].map((text) => {
    const line = document.createElement("p");
    line.textContent = text;
    return line;
  }));
  for (const old of felt.querySelectorAll(".seat")) old.remove();
  devices = []; captions = []; seats = [];
  document.body.classList.toggle("playing", news.seat !== null);
  document.body.classList.toggle("rights", news.rights);
  document.body.dataset.players = news.names.length;
  news.names.forEach((name, seat) => {
    const mine = seat === news.seat, isPerson = seat < news.people;
    const device = new Device(name, mine ? table : null);
    if (!news.entitled.includes(seat)) {
      device.root.classList.add("private");
      device.glass.setAttribute("aria-label", `${say("display")} ${name}: ${say("turnedAway")}`);
    }
    const box = document.createElement("div");
    box.className = `seat${mine ? " own" : ""}`;
    const label = document.createElement("p");
    label.className = "name";
    const kind = document.createElement("small");
    kind.textContent = mine ? say("you") : isPerson ? say("person") : `${say("bot")}, ${say(news.bots[seat - news.people])}`;
    label.append(name, " ", kind);
    const caption = document.createElement("p");
    caption.className = "caption";
    box.append(label, device.root, caption);
    if (mine) {
      box.append(controls(device, table));
      if (playing === null) listenToKeys({ get lid() { return playing.lid; }, setLift: (on) => playing.setLift(on), key: (key, on) => playing.key(key, on) }, table);
      playing = device;
    } else if (isPerson && news.people > 1) {
      const link = document.createElement("a");
      link.href = `/seat/${seat}`;
      link.className = "sit";
      box.append(link);
    }
    if (!mine) {
      const [x, y] = place(news.names.length, seat, news.seat);
      box.style.left = `${x}%`;
      box.style.top = `${y}%`;
    }
    felt.append(box);
    devices.push(device); captions.push(caption); seats.push(box);
  });
  const quiet = document.createElement("p");
  quiet.className = "quiet";
  quiet.textContent = say(news.seat === null ? "quiet" : "hint");
  story.replaceChildren(quiet); // what was told comes again
}

function holdCup(seat) {
  const box = seats[seat];
  if (!box) return;
  const at = box.getBoundingClientRect(), room = felt.getBoundingClientRect();
  const own = box.classList.contains("own");
  cup.style.left = `${at.left - room.left + (own ? -8 : at.width / 2)}px`;
  cup.style.top = `${at.top - room.top + (own ? at.height * 0.42 : at.height + 16)}px`;
  cup.classList.add("there");
}
let holder = null;
addEventListener("resize", () => { if (holder !== null) holdCup(holder); });

const table = new Table("table", null, {
  welcome(news) { setTable(news); notice.textContent = ""; },
  panel(seat, contrast, memory) { devices[seat]?.panel(contrast, memory); },
  says({ seat, text }) { devices[seat]?.says(text); },
  heard({ lines }) {
    story.querySelector(".quiet")?.remove();
    for (const text of lines) {
      const line = document.createElement("p");
      line.textContent = text;
      story.append(line);
    }
    while (story.children.length > 300) story.firstChild.remove();
    story.scrollTop = story.scrollHeight;
  },
  state(news) {
    for (const [seat, state] of Object.entries(news.seats)) {
      const device = devices[seat];
      if (!device) continue;
      device.state(state);
      if ("doing" in state || "power" in state) {
        if ("doing" in state) captions[seat].dataset.doing = state.doing;
        const doing = captions[seat].dataset.doing;
        captions[seat].textContent = device.root.classList.contains("off") ? say("off") : doing ? say(doing) : "";
      }
      if (state.cup) { holder = Number(seat); holdCup(holder); }
    }
    if ("speed" in news) find("speed").value = String(news.speed);
    if ("paused" in news) {
      find("pause").textContent = say(news.paused ? "go" : "pause");
      find("pause").dataset.on = String(news.paused);
    }
    if (news.trouble) notice.textContent = news.trouble;
    if ("over" in news) {
      again?.remove();
      again = null;
      document.body.classList.toggle("over", news.over);
      notice.textContent = news.over ? say("over") : "";
      if (news.over && table.seat !== null) {
        again = document.createElement("button");
        again.type = "button";
        again.className = "again";
        again.textContent = say("again");
        again.addEventListener("click", () => table.send({ do: "again" }));
        notice.after(again);
      }
    }
    if ("claimed" in news) {
      news.claimed.forEach((claimed, seat) => {
        const link = seats[seat]?.querySelector(".sit");
        if (link) link.textContent = say(claimed ? "seated" : "free");
      });
    }
  },
  left() {
    again?.remove();
    notice.textContent = say("stoodUp");
  },
  again() { story.replaceChildren(); cup.classList.remove("there"); },
  refused({ why }) { notice.textContent = say(why === "disk" ? "disk" : "refused"); },
  ended(_code, reason) { notice.textContent = `${say("closed")} ${reason}`; },
  gone() { notice.textContent = say("gone"); },
});
find("speed").addEventListener("change", (event) => table.send({ do: "speed", x: Number(event.target.value) }));
find("pause").addEventListener("click", (event) => table.send({ do: "pause", on: event.target.dataset.on !== "true" }));
