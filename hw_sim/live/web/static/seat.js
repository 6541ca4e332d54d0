// A phone that is the handheld: held upright or sideways, in one hand.
import { dress, say } from "./words.js";
import { Lobby, secureLink } from "./lobby.js";
import { Table, guestKey, secretOf } from "./socket.js";
import { Device, controls, listenToKeys } from "./device.js";
import { Guide, Ladder, bidOf, buzz, score, showRules } from "./guide.js";
import { node } from "./nodes.js";
import { showMoment } from "./moments.js";
import { Motion, motionButton, stayAwake } from "./phone.js";
import { Sounds } from "./sound.js";
import { WATCH, watching } from "./watching.js";

const PAYS = [180];
const find = (id) => document.getElementById(id);
const notice = find("notice"), hand = find("hand"), others = find("others");
const wanted = location.pathname === "/phone" ? null : Number(location.pathname.split("/").pop());
let seat = wanted, lobby = null;
let device = null, guide = null, ladder = null, motion = null, names = [], items = [], claimed = [], here = [];
const sounds = new Sounds();
dress();
find("sound").replaceWith(sounds.controls());
document.title = say("seatTitle");
if (wanted === null) secretOf(guestKey);

const table = new Table("seat", wanted, {
  lobby(news) {
    lobby ??= new Lobby(table);
    lobby.told(news);
    notice.textContent = "";
    const me = news.places[news.place];
    if (me) find("name").textContent = me.name;
    if (!document.querySelector(".menu .secure")) find("leave").before(...secureLink(news.secure));
    find("lobby").replaceChildren(...(me?.plays ? [] : [lobby.root, ...secureLink(news.secure)]));
  },
  welcome(news) {
    notice.textContent = "";
    document.title = say("seatTitle");
    names = news.names;
    items = names.map((name) => {
      const item = document.createElement("li");
      item.append(name, node("small", "absent"), node("span", "mark"), node("small", "doing"));
      return item;
    });
    others.replaceChildren(...items);
    seat = news.seat;
    find("last").setAttribute("aria-live", seat === null ? "polite" : "off"); // a display says what happens
    if (seat === null) { // who came late watches
      device = guide = ladder = null;
      hand.replaceChildren();
      if (!news.phones) watching(find("watching"), { table, phones: false, seat: wanted, names, claimed, here });
      return;
    }
    find("watching").hidden = true;
    find("name").textContent = news.names[seat];
    showRules(find("told"), news);
    device = new Device(news.names[seat], table);
    const bar = controls(device, table);
    ladder = new Ladder(news.ladder, table);
    guide = new Guide(device, table, bar, ladder);
    device.slot.append(guide.root, ladder.root, bar);
    if (motion === null) {
      motion = new Motion(table);
      motionButton(motion).then((button) => button && find("last").before(button));
      listenToKeys({ latch: () => device.latch(), setLift: (on) => device.setLift(on), key: (key, on) => device.key(key, on) }, table);
      stayAwake();
    }
    hand.replaceChildren(device.root);
  },
  panel(_seat, contrast, memory) { if (_seat === seat) device.panel(contrast, memory); },
  says(news) { if (news.seat === seat) device.says(news.text); },
  asked(news) {
    if (news.seat !== seat) return;
    guide.asked(news.asked);
    motion.tilts = news.asked.dial !== null;
  },
  tones(news) { sounds.tones(news.seat, news.waves, news.seat === seat); },
  verdict({ moment }) {
    if (moment.payers.includes(seat)) buzz(PAYS);
    showMoment(hand, moment, names, sounds);
  },
  heard({ lines }) { find("last").textContent = lines.slice(-2).join(" "); },
  state(news) {
    for (const [place, state] of Object.entries(news.seats)) {
      if (Number(place) === seat) device?.state(state);
      const item = items[place];
      if ("cup" in state) item.classList.toggle("cup", state.cup);
      if ("doing" in state) sounds.shaking(place, state.doing === "shakes", Number(place) === seat);
      if ("doing" in state) item.lastChild.textContent = state.doing ? say(state.doing) : "";
    }
    if (news.standing) {
      const { scores, bid, turn } = news.standing;
      scores.forEach((each, place) => {
        const said = bid?.by === place ? [node("span", "bid", bidOf(bid))] : [];
        items[place].querySelector(".mark").replaceChildren(score(each), ...said);
        items[place].classList.toggle("turn", turn === place);
      });
      ladder?.stands(bid, names);
    }
    if ("claimed" in news || "here" in news) {
      claimed = news.claimed ?? claimed;
      here = news.here ?? here;
      claimed.forEach((isClaimed, place) => {
        items[place].querySelector(".absent").textContent = here.includes(place) ? "" : say(isClaimed ? "away" : "nobody");
      });
    }
    if (news.paused || news.past) sounds.hush();
    if (news.trouble) notice.textContent = news.trouble;
    if ("over" in news) guide?.over(news.over);
  },
  refused({ why }) {
    if (lobby !== null) lobby.refused(why);
    else notice.textContent = say(`why_${why}`);
  },
  again() { find("last").textContent = ""; },
  ended(code, reason) {
    hand.replaceChildren();
    const way = node("a", "", say("watch"));
    way.href = WATCH;
    find("lobby").replaceChildren(way);
    notice.textContent = code === 4409 ? say("taken") : code === 4403 ? say(wanted === null ? "why_used" : "wrongSeat") : `${say("closed")} ${reason}`;
  },
  left() {
    hand.replaceChildren();
    find("lobby").replaceChildren();
    document.title = say("seatTitle");
    notice.textContent = say("stoodUp");
  },
  gone() {
    sounds.hush();
    notice.textContent = say("gone");
    document.title = say("seatTitle");
  },
});
find("ask").addEventListener("click", () => find("rules").showModal());
find("teach").addEventListener("click", () => {
  document.querySelector(".menu").open = false;
  guide?.lessons.again();
});
find("close").addEventListener("click", () => find("rules").close());
find("leave").addEventListener("click", () => { if (confirm(say("leaving"))) table.leave(); });
