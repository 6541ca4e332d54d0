// One handheld, for a phone held upright.
import { dress, say } from "./words.js";
import { Table } from "./socket.js";
import { Device, controls, listenToKeys, motionButton } from "./device.js";
import { Guide, Ladder, bidOf, node, score, showVerdict } from "./guide.js";
import { Sounds } from "./sound.js";

const find = (id) => document.getElementById(id);
const notice = find("notice"), hand = find("hand"), others = find("others");
const seat = Number(location.pathname.split("/").pop());
let device = null, guide = null, ladder = null, names = [], items = [], claimed = [], here = [], heardKeys = false;
const sounds = new Sounds();
dress();
find("sound").replaceWith(sounds.controls());
document.title = say("seatTitle");

const table = new Table("seat", seat, {
  welcome(news) {
    notice.textContent = "";
    find("name").textContent = news.names[seat];
    device = new Device(news.names[seat], table);
    const bar = controls(device, table);
    const motion = motionButton(table);
    names = news.names;
    guide = new Guide(device, table);
    ladder = new Ladder(news.ladder);
    find("ladder").replaceChildren(ladder.root);
    hand.replaceChildren(guide.root, device.root, bar, ...(motion ? [motion] : []));
    if (!heardKeys) listenToKeys({ latch: () => device.latch(), setLift: (on) => device.setLift(on), key: (key, on) => device.key(key, on) }, table);
    heardKeys = true;
    items = news.names.map((name) => {
      const item = document.createElement("li");
      item.append(name, node("small", "absent"), node("span", "mark"), node("small", "doing"));
      return item;
    });
    others.replaceChildren(...items);
  },
  panel(_seat, contrast, memory) { if (_seat === seat) device.panel(contrast, memory); },
  says(news) { if (news.seat === seat) device.says(news.text); },
  asked(news) { if (news.seat === seat) guide.asked(news.asked); },
  tones(news) { sounds.tones(news.seat, news.waves, news.seat === seat); },
  verdict({ lifted }) { showVerdict(hand, lifted, names); },
  heard({ lines }) { find("last").textContent = lines.slice(-2).join(" "); },
  state(news) {
    for (const [place, state] of Object.entries(news.seats)) {
      if (Number(place) === seat) device.state(state);
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
      ladder.stands(bid, names);
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
    if ("over" in news) guide.over(news.over);
  },
  again() { find("last").textContent = ""; },
  ended(code, reason) {
    hand.replaceChildren();
    notice.textContent = code === 4409 ? say("taken") : code === 4403 ? say("wrongSeat") : `${say("closed")} ${reason}`;
  },
  left() {
    hand.replaceChildren();
    notice.textContent = say("stoodUp");
  },
  gone() { sounds.hush(); notice.textContent = say("gone"); },
});
find("leave").addEventListener("click", () => { if (confirm(say("leaving"))) table.leave(); });
