// Beside a handheld that is played: whose turn it is, what can be done now, and the thing to touch lit.
import { language, say, sayCount, sayIfKnown, sayToggle } from "./words.js";
import { controls } from "./device.js";
import { ask, at } from "./line.js";
import { die, drawn, matchCard } from "./moments.js";
import { button, having, link, node, status, whilePressed } from "./nodes.js";

const HOW = { shake: "shake", lift: "lift", open: "lidOpen", cover: "lidOpen", tilt: "arrows", tap: "pad", hold: "padHeld" };
const STANDS = { swims: "swims", out: "out", safe: "safe", left: "left_" };
const BUZZ = { offer: [60, 50, 60], turn: [40], end: [120] };
const TICK = [8];
const TURNS_MS = 3_000;
const AIMS = "maexchen.aims"; // the games of which one round was played here
const LID = new Set(["open", "cover"]);

// Where there is any, and the page was touched before.
export const buzz = (pattern) => { if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern); };

export class Guide {
  // ``ladder``: where values are chosen; ``news``: the welcome. ``bar`` are the buttons beside the handheld.
  constructor(device, table, ladder, news) {
    this.device = device;
    device.turned = (turns) => this.#tap(turns);
    device.feeble = () => { if (this.throws) this.advice.textContent = say("shakeFaster"); };
    this.table = table;
    this.bar = controls(device, table);
    this.ladder = ladder;
    this.shows = having(node("p", "shows"), { "aria-hidden": true }); // the display is read
    this.says = node("p", "says");
    this.advice = status("p", "advice");
    this.ways = node("ul", "ways");
    this.end = node("div", "end");
    this.lessons = new Lessons();
    this.aim = node("p", "aim");
    this.root = node("div", "guide", this.shows, this.says, this.advice, this.lessons.root, this.aim, this.ways, this.end);
    this.title = document.title;
    this.occasion = "";
    this.now = null;
    this.underWay = 0; // until when a tap that was asked for may still be on its way
    this.chips = new Map();
    this.lessons.toggledBy(document.getElementById("teach"));
    this.prepares = news.apart || news.rights; // friends wait for each other
    this.#aims(news);
  }

  // What a game is about, until its first round is over. ``rules``: the first of them is one sentence of it.
  #aims({ title, rules }) {
    this.game = title;
    const known = (localStorage.getItem(AIMS) ?? "").split("\n");
    this.aim.textContent = this.lessons.wanted && !known.includes(title) ? rules[0] : "";
  }
  #knowsAim() {
    if (!this.aim.textContent) return;
    this.aim.textContent = "";
    localStorage.setItem(AIMS, [localStorage.getItem(AIMS), this.game].filter(Boolean).join("\n"));
  }

  asked(asked) {
    const { says, occasion, ways, shows, dial } = asked;
    const before = this.now;
    this.now = asked;
    if (this.says.textContent !== says) {
      this.advice.textContent = "";
      this.underWay = 0;
    }
    this.says.textContent = says;
    this.shows.textContent = dial?.at || shows;
    this.shows.classList.toggle("long", this.shows.textContent.length > 5);
    this.throws = ways.some((way) => way.due && way.gesture === "shake");
    const due = new Set();
    const chips = new Map();
    for (const way of ways) {
      if (way.due) due.add(LID.has(way.gesture) ? "lift" : way.gesture);
      const name = `${way.gesture} ${way.turn}`;
      const chip = this.chips.get(name) ?? this.#chip(way.gesture, way.turn);
      chip.classList.toggle("due", way.due);
      chip.querySelector("span").textContent = way.does;
      chips.set(name, chip);
    }
    for (const [name, chip] of this.chips) if (!chips.has(name)) chip.remove();
    const order = [...chips.values()];
    if (order.some((chip, place) => this.ways.children[place] !== chip)) this.ways.replaceChildren(...order);
    this.chips = chips;
    const first = (...names) => ways.filter((way) => way.due && names.includes(way.gesture)).sort((one, other) => Math.abs(one.turn) - Math.abs(other.turn))[0];
    const tap = first("tap");
    this.device.turns = tap?.turn ?? 0; // nobody has to tilt a phone to believe
    if (document.body.classList.contains("seat-page")) this.device.does(first("lift", ...LID)?.does, tap?.does);
    const room = this.device.root.closest(".seat, #hand") ?? this.device.root;
    for (const gesture of ["shake", "lift", "tilt", "tap", "hold"]) room.classList.toggle(`due-${gesture}`, due.has(gesture));
    room.classList.toggle("choosing", dial !== null);
    const has = (ways, gesture) => ways.some((way) => way.gesture === gesture);
    this.device.staysOpen = has(ways, "open");
    if (before && before.occasion !== "offer" && has(before.ways, "cover") && !has(ways, "cover") && this.device.setLift.latched) this.device.setLift.latch(false);
    this.lessons.at(asked);
    for (const [key, text] of [["left", dial?.left ?? ""], ["right", dial?.right ?? ""]]) {
      const button = this.bar.querySelector(`[data-key="${key}"]`);
      button.querySelector("span").textContent = text;
      button.setAttribute("aria-label", text ? `${say(key)}: ${text}` : say(key));
    }
    this.ladder?.offers(dial);
    this.device.swipe = dial === null ? null : (dx, dy) => this.#swiped(dx, dy);
    this.root.classList.toggle("yours", occasion === "turn" || occasion === "offer");
    document.title = this.root.classList.contains("yours") ? `● ${this.title}` : this.title;
    if (occasion !== this.occasion) buzz(BUZZ[occasion] ?? []);
    else if (before?.dial && dial && before.dial.index !== dial.index) buzz(TICK);
    if (this.occasion === "end" && occasion !== "end") this.#knowsAim();
    this.occasion = occasion;
  }

  // What can be done, as a button that has the hand do it; a tilt is only said.
  #chip(gesture, turn) {
    const how = node("b", "", turn ? say("arrowPad") : say(HOW[gesture])), does = node("span");
    if (gesture === "tilt") return node("li", "", how, " ", does);
    const { device } = this;
    const [begin, end = () => {}] = {
      lift: [() => device.setLift(true), () => device.setLift(false)], hold: [() => device.setTouch(true), () => device.setTouch(false)],
      open: [() => device.setLift.latch(true)], cover: [() => device.setLift.latch(false)],
      tap: [() => this.#tap(turn)], shake: [() => device.key("shake", true), () => device.key("shake", false)],
    }[gesture];
    // A click that no pointer made: a keyboard's, or a screen reader's.
    const made = button("", ({ detail }) => {
      if (detail) return;
      if (gesture === "lift" && this.occasion !== "offer") device.latch(); // a doubt ends by itself
      else if (gesture === "hold") device.press("hold");
      else { begin(); end(); }
    }, how, " ", does);
    return node("li", "", whilePressed(having(made, { "data-gesture": gesture }), begin, end));
  }

  // The hand needs a moment to move the dial first: who touches again meanwhile means the same.
  #tap(turn) {
    const now = performance.now();
    if (now < this.underWay) return;
    if (turn) {
      this.underWay = now + TURNS_MS;
      this.table.mine({ do: "turn", by: turn });
    }
    this.device.press("tap");
  }

  // A thumb went over the handheld: sideways along the dial, up to do what it shows.
  #swiped(dx, dy) {
    if (Math.abs(dx) > Math.abs(dy)) {
      this.table.mine({ do: "turn", by: Math.sign(dx) * Math.max(1, Math.round(Math.abs(dx) / 45)) });
      return;
    }
    const way = this.now.ways.find(({ gesture }) => gesture === "tap");
    if (dy < 0 && way) this.#tap(way.turn);
  }

  // What to do, for who plays alone and asks: until something else is asked of him.
  #hint() {
    return button("", async () => {
      const says = this.says.textContent;
      const answer = await ask(`/hint?language=${language}`);
      const [best, ...why] = (await answer.text()).split(/(?<=\.) /);
      if (answer.ok && says === this.says.textContent) this.advice.replaceChildren(node("strong", "", best), ...why.map((each) => ` ${each}`));
    }, say("hint"));
  }

  over(isOver) {
    this.end.replaceChildren();
    if (this.table.seat === null) return;
    if (!isOver) {
      if (this.table.rights) this.end.append(this.#hint());
      return;
    }
    const again = button("again", () => {
      this.table.send({ do: "again" });
      if (this.prepares) again.textContent = say("preparing");
    }, say("again"));
    this.end.append(again, matchCard());
    if (this.table.rights) this.end.append(" ", Object.assign(link(say("judged"), at("judged")), { target: "_blank" })); // who plays alone
  }
}

// A first match that teaches itself: what is new is said once, beside the display, until it is learned.
const LEARNED = "maexchen.learned";
const READ_MS = 3_000; // a hint that was there for so long was read
const ALL = "all"; // no more lessons are wanted

class Lessons {
  constructor() {
    const address = new URL(location.href);
    if (address.searchParams.has("learn")) { // once more from the beginning
      localStorage.removeItem(LEARNED);
      address.searchParams.delete("learn");
      history.replaceState(null, "", address);
    }
    this.learned = new Set((localStorage.getItem(LEARNED) ?? "").split(",").filter(Boolean));
    this.said = new Set();
    this.before = this.learned.size;
    this.title = node("b");
    this.says = node("span");
    this.next = button("", () => this.#learn(this.now.name), say("understood"));
    this.skip = button("quiet-button", () => this.#learn(ALL), sayToggle("hints", true));
    this.root = node("section", "lesson", node("p", "", this.title, " ", this.says), node("div", "row", this.next, this.skip));
    this.root.hidden = true;
    this.asked = { lessons: [], learned: [] };
  }
  get wanted() { return !this.learned.has(ALL); }
  // ``asked``: what can be learned at what is shown now, and what whoever sees it has learned.
  at(asked) {
    this.asked = asked;
    for (const name of asked.learned) if (!this.learned.has(name)) this.#keep(name);
    const before = this.now, now = performance.now();
    // What is learned by reading goes by itself, too, once what it is about has gone by.
    if (before?.by_reading && now - this.since >= READ_MS && !asked.lessons.some(({ name }) => name === before.name)) this.#keep(before.name);
    this.now = this.learned.has(ALL) ? undefined : asked.lessons.find(({ name }) => !this.learned.has(name));
    this.root.hidden = !this.now;
    const room = this.root.closest(".seat, #hand");
    if (room) room.dataset.lesson = this.now?.name ?? "";
    if (!this.now || before?.name === this.now.name) return;
    this.since = now;
    this.next.hidden = !this.now.by_reading;
    // Numbered as they come: a match may begin with an offer.
    this.said.add(this.now.name); // one thing that is done may teach two
    this.title.textContent = `${this.before + [...this.said].indexOf(this.now.name) + 1} ${this.now.title.replace(/^\d+ /, "")}`;
    this.says.textContent = this.now.says;
  }
  // ``button``: it hides the hints, or shows them from the first one on.
  toggledBy(button) {
    this.toggle = button;
    button.onclick = () => { if (this.wanted) this.#learn(ALL); else this.#again(); };
    this.#label();
  }
  #label() { if (this.toggle) this.toggle.textContent = sayToggle("hints", this.wanted); }
  #again() {
    this.learned.clear();
    this.said.clear();
    this.before = 0;
    this.now = undefined;
    localStorage.removeItem(LEARNED);
    this.at({ ...this.asked, learned: [] });
    this.#label();
  }
  #learn(name) {
    this.#keep(name);
    this.at(this.asked);
  }
  #keep(name) {
    this.learned.add(name);
    localStorage.setItem(LEARNED, [...this.learned].join(","));
    this.#label();
  }
}

// What is public of how a player stands, as little as fits beside a name.
function score({ count, unit, status }) {
  const words = `${count} ${sayCount(unit, count)}${status ? `, ${say(STANDS[status])}` : ""}`;
  const signs = unit === "match" && count <= 9 ? "❙".repeat(count) || "–" : String(count);
  const picture = having(node("span", "", signs, status ? ` ${say(STANDS[status])}` : ""), { "aria-hidden": true });
  return having(node("span", "score", picture, node("span", "hidden", words)), { title: words });
}

const bidOf = (bid) => (bid.words ? `${say(`said_${bid.words}`)} (${bid.value})` : String(bid.value));

// How the player of a seat stands, and what they have said last.
export const markOf = ({ scores, bid }, seat) => [score(scores[seat]), ...(bid?.by === seat ? [node("span", "bid", bidOf(bid))] : [])];

// All values from low to high, with the one that has to be beaten; touched, the dial goes there.
export class Ladder {
  // ``table``: null where there is no dial.
  constructor(values, table) {
    this.values = values;
    this.dial = null;
    this.aim = this.underWay = 0; // where the dial was sent last, and until when it may still be on its way there
    this.cells = new Map(values.map((value) => [value, this.#cell(value, table)]));
    this.told = node("p", "standing");
    this.list = node("ol", "", ...this.cells.values());
    this.root = node("section", "ladder", node("h2", "", say("ladder")), this.list, this.told);
    this.root.hidden = values.length === 0;
  }
  #cell(value, table) {
    const made = button("", () => {
      const place = this.dial && this.#placeOf(value), now = performance.now();
      if (place === null) return;
      const by = place - (now < this.underWay ? this.aim : this.dial.index);
      this.aim = place;
      this.underWay = now + TURNS_MS;
      if (by) table.mine({ do: "turn", by });
    }, String(value));
    made.disabled = true;
    return node("li", "", made);
  }
  // The place of a value on the dial; null where it offers none near it.
  #placeOf(value) {
    const { left, at, right, index, count } = this.dial;
    for (const [text, place] of [[at, index], [right, index + 1], [left, index - 1]]) {
      const rank = this.values.indexOf(Number(text));
      if (rank < 0) continue;
      const wanted = place + this.values.indexOf(value) - rank;
      return wanted < 0 || wanted >= count ? null : wanted;
    }
    return null;
  }
  offers(dial) {
    this.dial = dial;
    if (dial?.index === this.aim) this.underWay = 0;
    let some = false;
    for (const [value, cell] of this.cells) {
      const button = cell.firstChild, place = dial && this.#placeOf(value);
      button.disabled = place === null || !cell.classList.contains("beats");
      cell.classList.toggle("at", dial !== null && dial.at === String(value));
      some ||= !button.disabled;
    }
    this.root.classList.toggle("offered", some);
  }
  // Without a dial: the values that can be said, each with the button that says it.
  holds(buttons) {
    for (const [value, cell] of this.cells) {
      const button = buttons.get(value);
      cell.classList.toggle("beats", button !== undefined);
      if (button) {
        button.textContent = String(value);
        cell.replaceChildren(button);
      }
    }
  }
  stands(bid, names) {
    let beats = bid === null;
    for (const [value, cell] of this.cells) {
      const stands = bid !== null && value === bid.value;
      beats ||= stands && bid.again;
      cell.classList.toggle("beats", beats);
      cell.toggleAttribute("aria-current", stands);
      if (stands) beats = true;
    }
    this.told.textContent = bid === null ? say("noBid") : say("bidBy", { name: names[bid.by], value: bidOf(bid) });
    this.offers(this.dial);
  }
}

// The rules of the game that is played.
export function showRules(room, news) {
  room.replaceChildren(...news.rules.map((text) => node("p", "", text)));
}

// The table as who decides sees it: the others in turn, one's own cup and dice in front.
// A player: name, what they are like, how they stand, what they said, and their open dice.
function sitter({ names, kinds, order, standing }, seat, me) {
  const { open } = standing, shown = [open?.throw, ...(open?.done ?? [])].find((each) => each?.seat === seat);
  const dice = shown ? [...shown.aside.map((each) => die(each, "gold")), ...shown.dice.map((each) => die(each))] : [];
  return node("div", "sitter", node("p", "name", names[seat], " ", node("small", "", seat === order[0] ? me : kinds[seat] && sayIfKnown(kinds[seat])),
    node("span", "mark", ...markOf(standing, seat))), node("p", "thrown", ...dice));
}
// ``me``: what is said beside the name of who decides.
export function scene(table, me = "") {
  const [mine, ...others] = table.order, own = sitter(table, mine, me);
  own.classList.add("own");
  own.lastChild.append(...(table.cup ? [drawn("cup", `cup${table.dice.length ? " up" : ""}`)] : []), ...table.dice.map((each) => die(each)));
  return node("div", "scene", node("div", "others", ...others.map((seat) => sitter(table, seat, me))), own);
}
