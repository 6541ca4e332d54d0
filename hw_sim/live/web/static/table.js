// The whole table: everybody in a circle, one's own handheld large in front where one plays.
import { dress, say, sayIfKnown, sayToggle } from "./words.js";
import { Lobby } from "./lobby.js";
import { Table } from "./socket.js";
import { Device, listenToKeys } from "./device.js";
import { Guide, Ladder, markOf, showRules } from "./guide.js";
import { at } from "./line.js";
import { find, link, node } from "./nodes.js";
import { showMoment } from "./moments.js";
import { Sounds } from "./sound.js";
import { ledToSeat, watching } from "./watching.js";

const felt = find("felt"), story = find("story"), notice = find("notice"), cup = find("cup");
const tell = (text, isSpoken = true) => {
  notice.setAttribute("aria-live", isSpoken ? "polite" : "off");
  notice.textContent = text;
};
let devices = [], captions = [], marks = [], seats = [], welcome = null, playing = null, guide = null, ladder = null;
const sounds = new Sounds();

dress("title");
find("sound").replaceWith(sounds.controls());

// A party: its lobby lies over the table between matches, and when it is asked for. Who plays alone
// asks for it to choose another game.
const SPEED_KEY = "maexchen.speed"; // the speed that was chosen here last
const ENDS_MS = 6_000; // so long the end of a match is looked at first
let lobby = null, gathering = null;
const gather = (on) => {
  clearTimeout(gathering);
  find("lobby").replaceChildren(...(on ? [lobby.root] : []));
  document.body.classList.toggle("gathers", on);
  find("gather").setAttribute("aria-pressed", String(on));
};
find("gather").addEventListener("click", () => gather(!document.body.classList.contains("gathers")));

// On an ellipse for those who watch. Others than oneself stand in a row at the far side.
function place(count, index) {
  if (innerWidth <= 900 && count > 4) { // a table as long as the page: down one side, up the other
    const rows = Math.ceil(count / 2), row = index < rows ? index : 2 * rows - 1 - index;
    return [index < rows ? 25 : 75, 3 + 94 * (row + 0.5) / rows];
  }
  const angle = (90 + (360 / count) * index) * Math.PI / 180;
  return [50 + 36 * Math.cos(angle), 49 + 34 * Math.sin(angle)];
}

function arrange() {
  if (welcome.seat !== null) return;
  seats.forEach((box, seat) => {
    const [x, y] = place(seats.length, seat);
    box.style.left = `${x}%`;
    box.style.top = `${y}%`;
  });
}

function setTable(news) {
  welcome = news;
  document.title = say("title");
  find("game").textContent = news.title;
  showRules(find("told"), news);
  for (const old of felt.querySelectorAll(".seat")) old.remove();
  devices = []; captions = []; seats = []; marks = []; guide = null;
  ladder = new Ladder(news.ladder, table);
  find("ladder").replaceChildren(ladder.root);
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
    const kind = mine ? say("you") : isPerson ? "" : `${say("bot")}, ${sayIfKnown(news.bots[seat - news.people])}`;
    const mark = node("span", "mark"), caption = node("p", "caption");
    const box = node("div", `seat${mine ? " own" : ""}`, node("p", "name", name, " ", node("small", "", kind), mark), device.root, caption);
    if (mine) {
      guide = new Guide(device, table, ladder, news);
      box.append(guide.bar, guide.lessons.root, guide.root);
      if (playing === null) listenToKeys(() => playing, table);
      playing = device;
    } else if (isPerson && news.people > 1 && !news.phones) box.append(link("", at(`seat/${seat}`), "sit"));
    devices.push(device); captions.push(caption); seats.push(box); marks.push(mark);
  });
  const mine = news.seat ?? -1;
  find("far").replaceChildren(...seats.map((_, place) => seats[(mine + 1 + place) % seats.length]).filter((box) => box !== seats[mine]));
  if (news.seat !== null) felt.append(seats[mine]);
  arrange();
  story.setAttribute("aria-live", news.seat === null ? "polite" : "off"); // a display says what happens
  story.replaceChildren(node("p", "quiet", say(news.seat === null ? "quiet" : "drag"))); // what was told comes again
}

function holdCup(seat) {
  const box = seats[seat];
  if (!box) return;
  // Beside a handheld, where it covers nothing that is to be read.
  const at = devices[seat].root.getBoundingClientRect(), room = felt.getBoundingClientRect();
  const own = box.classList.contains("own"), narrow = innerWidth <= 900;
  cup.style.left = `${(own ? at.left + (narrow ? 26 : 10) : at.right + (narrow ? 21 : 31)) - room.left}px`; // one's own stands on it
  cup.style.top = `${(own ? at.top - (narrow ? 20 : 31) : at.bottom - 14) - room.top}px`;
  cup.classList.add("there");
}
let holder = null;
new ResizeObserver(() => {
  if (welcome) arrange();
  if (holder !== null) holdCup(holder);
}).observe(felt);

// The line of a page that watches.
const tellWatcher = () => {
  const phones = welcome?.phones ?? true, seat = welcome?.people === 1 && !phones ? 0 : null;
  watching(find("watching"), { table, host: lobby?.news?.host, phones, seat });
};

const table = new Table("table", null, {
  lobby(news) {
    const was = lobby?.news?.playing;
    if (lobby === null) {
      lobby = new Lobby(table);
      if (news.alone) find("gather").textContent = say("otherGame");
    }
    document.body.classList.add("party");
    lobby.told(news);
    if (news.alone) return;
    tellWatcher();
    tell("");
    if (was === news.playing) return;
    if (was) gathering = setTimeout(() => gather(true), ENDS_MS);
    else gather(!news.playing);
  },
  welcome(news) {
    setTable(news);
    tell("");
    tellWatcher();
    if (lobby?.news.alone) gather(false); // what was chosen has begun
    const speed = Number(localStorage.getItem(SPEED_KEY));
    if (news.rights && [...find("speed").options].some(({ value }) => Number(value) === speed)) table.send({ do: "speed", x: speed });
  },
  panel(seat, contrast, memory) { devices[seat]?.panel(contrast, memory); },
  says({ seat, text }) { devices[seat]?.says(text); },
  asked({ seat, asked }) { if (seat === table.seat) guide?.asked(asked); },
  tones({ seat, waves }) { sounds.tones(seat, waves, seat === table.seat); },
  verdict({ moment }) { showMoment(felt, moment, welcome.names, sounds); },
  heard({ lines }) {
    story.querySelector(".quiet")?.remove();
    story.append(...lines.map((text) => node("p", "", text)));
    while (story.children.length > 300) story.firstChild.remove();
    story.scrollTop = story.scrollHeight;
  },
  state(news) {
    for (const [seat, state] of Object.entries(news.seats)) {
      const device = devices[seat];
      if (!device) continue;
      device.state(state);
      if ("doing" in state || "power" in state) {
        if ("doing" in state) {
          captions[seat].dataset.doing = state.doing;
          sounds.shaking(seat, state.doing === "shakes", Number(seat) === table.seat);
        }
        clearTimeout(captions[seat].due); // what is shaken is tilted now and then: that is no news
        captions[seat].due = setTimeout(() => {
          const doing = captions[seat].dataset.doing;
          captions[seat].textContent = device.root.classList.contains("off") ? say("off") : doing ? say(doing) : "";
        }, captions[seat].textContent === say("shakes") ? 500 : 0);
      }
      if (state.cup) { holder = Number(seat); holdCup(holder); }
    }
    if ("speed" in news) find("speed").value = String(news.speed);
    if ("paused" in news) {
      find("pause").textContent = sayToggle("match", !news.paused);
      find("pause").dataset.on = String(news.paused);
    }
    if (news.standing) {
      const { bid, turn } = news.standing;
      marks.forEach((mark, seat) => {
        mark.replaceChildren(...markOf(news.standing, seat));
        devices[seat].root.classList.toggle("turn", turn === seat);
      });
      ladder?.stands(bid, welcome.names);
    }
    if (news.paused || news.past) sounds.hush();
    if (news.trouble) tell(news.trouble);
    if ("over" in news) {
      document.body.classList.toggle("over", news.over);
      tell(news.over ? say("over") : "", table.seat === null); // the display of who plays speaks of it
      guide?.over(news.over);
    }
    if ("claimed" in news || "here" in news) {
      table.claimed.forEach((isClaimed, seat) => {
        const way = seats[seat]?.querySelector(".sit");
        if (way) way.textContent = say(!isClaimed ? "free" : table.here.includes(seat) ? "seated" : "away");
        else if (seat !== welcome.seat) {
          const kind = seats[seat].querySelector(".name small");
          kind.textContent = table.here.includes(seat) ? "" : say(isClaimed ? "away" : "nobody");
          kind.className = "absent"; // shown on small pages, too
        }
      });
      if (table.seat === null && !welcome.phones && ledToSeat(table.claimed)) return;
      tellWatcher();
    }
  },
  left() {
    document.body.classList.remove("party");
    guide?.over(false);
  },
  again() { story.replaceChildren(); cup.classList.remove("there"); felt.querySelector(".verdict")?.remove(); },
  refused({ why, between }) {
    if (lobby !== null && why !== "rights") lobby.refused(why, between);
    else tell(say(why === "disk" ? "disk" : "refused"));
  },
  ended(_code, reason) { tell(`${say("closed")} ${reason}`); },
  gone() {
    sounds.hush();
    tell(say("gone"));
    document.title = say("title");
  },
});
// On a narrow page the controls wait behind a button.
const menu = (on) => { document.body.classList.toggle("menu-open", on); find("menu").setAttribute("aria-expanded", String(on)); };
find("menu").addEventListener("click", () => menu(!document.body.classList.contains("menu-open")));
addEventListener("keydown", ({ key }) => { if (key === "Escape") menu(false); });
find("keys").open = innerHeight >= 850; // where they fit
find("speed").addEventListener("change", ({ target }) => {
  localStorage.setItem(SPEED_KEY, target.value);
  table.send({ do: "speed", x: Number(target.value) });
});
find("pause").addEventListener("click", (event) => table.send({ do: "pause", on: event.target.dataset.on !== "true" }));
