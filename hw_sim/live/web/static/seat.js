// One handheld, for a phone held upright.
import { dress, say } from "./words.js";
import { Table } from "./socket.js";
import { Device, controls, listenToKeys, motionButton } from "./device.js";

const find = (id) => document.getElementById(id);
const notice = find("notice"), hand = find("hand"), others = find("others");
const seat = Number(location.pathname.split("/").pop());
let device = null, again = null, items = [], heardKeys = false;
dress();
document.title = say("seatTitle");

const table = new Table("seat", seat, {
  welcome(news) {
    notice.textContent = "";
    find("name").textContent = news.names[seat];
    device = new Device(news.names[seat], table);
    const bar = controls(device, table);
    const motion = motionButton(table);
    hand.replaceChildren(device.root, bar, ...(motion ? [motion] : []));
    if (!heardKeys) listenToKeys({ get lid() { return device.lid; }, setLift: (on) => device.setLift(on), key: (key, on) => device.key(key, on) }, table);
    heardKeys = true;
    items = news.names.map((name) => {
      const item = document.createElement("li");
      const doing = document.createElement("small");
      item.append(name, doing);
      return item;
    });
    others.replaceChildren(...items);
  },
  panel(_seat, contrast, memory) { if (_seat === seat) device.panel(contrast, memory); },
  says(news) { if (news.seat === seat) device.says(news.text); },
  heard({ lines }) { find("last").textContent = lines.slice(-2).join(" "); },
  state(news) {
    for (const [place, state] of Object.entries(news.seats)) {
      if (Number(place) === seat) device.state(state);
      const item = items[place];
      if ("cup" in state) item.classList.toggle("cup", state.cup);
      if ("doing" in state) item.lastChild.textContent = state.doing ? say(state.doing) : "";
    }
    if ("over" in news) {
      again?.remove();
      again = null;
      if (news.over) {
        again = document.createElement("button");
        again.type = "button";
        again.className = "again";
        again.textContent = say("again");
        again.addEventListener("click", () => table.send({ do: "again" }));
        hand.append(again);
      }
    }
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
  gone() { notice.textContent = say("gone"); },
});
