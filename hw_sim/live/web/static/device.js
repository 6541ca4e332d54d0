// One handheld as it is drawn: case, OLED, lid over the light sensor, touch pad with its LED.
import { say } from "./words.js";
import { button, having, node, whilePressed } from "./nodes.js";

const WIDE_MM = 96; // of the case, as it would be printed
const REACH = 2; // a hand swings wider than a picture is dragged
const MOST_WIDE_PX = 420; // a hand does not swing wider where the picture is
const COLUMNS = 128, ROWS = 64;

const STROKE_PX = 24;
const TURN_PX = 16, SWING_MS = 420; // a shake turns round so soon: SWING_US in hand/control/drag_motion.py
const THROWN_MS = 1_200; // a shake that throws has done so by then
const STILL_PX = 6, STAYS_MS = 350;

// One way of a finger over the glass: a swipe, unless it turns back, for then the handheld is shaken.
// One that goes sideways and stays there tilts the handheld until it lifts or turns back.
class Stroke {
  constructor(event, lean) {
    this.x = this.stillX = event.clientX;
    this.y = event.clientY;
    this.dx = this.dy = this.farX = this.farY = 0;
    this.lean = lean; // called with "left" or "right", and whether it is tilted so
    this.leans = null;
  }
  // Returns whether it is still a stroke.
  goesOn(event) {
    const back = this.turnsBack(event);
    if (this.leans) return back ? this.end() : true;
    if (Math.abs(event.clientX - this.stillX) > STILL_PX) {
      this.stillX = event.clientX;
      clearTimeout(this.staying);
      if (Math.abs(this.dx) > STROKE_PX && Math.abs(this.dx) > Math.abs(this.dy)) this.staying = setTimeout(() => this.#stays(), STAYS_MS);
    }
    return !back || this.end();
  }
  #stays() {
    this.leans = this.dx < 0 ? "left" : "right";
    this.lean(this.leans, true);
  }
  // Returns whether it was a tilt, which is over now.
  end() {
    clearTimeout(this.staying);
    if (this.leans && !this.ended) this.lean(this.leans, false);
    this.ended = true;
    return this.leans !== null;
  }
  turnsBack(event) {
    this.dx = event.clientX - this.x;
    this.dy = event.clientY - this.y;
    if (Math.abs(this.dx) > Math.abs(this.farX)) this.farX = this.dx;
    if (Math.abs(this.dy) > Math.abs(this.farY)) this.farY = this.dy;
    return Math.abs(this.farX - this.dx) > STROKE_PX || Math.abs(this.farY - this.dy) > STROKE_PX;
  }
}

// How a pointer goes to and fro, along the screen's wider way or the other one.
class Swings {
  constructor({ clientX, clientY, timeStamp }) {
    this.axes = [clientX, clientY].map((far) => ({ far, way: 0, turns: 0, slow: 0, since: timeStamp }));
  }
  follow({ clientX, clientY, timeStamp }) {
    [clientX, clientY].forEach((at, place) => {
      const axis = this.axes[place], off = at - axis.far;
      if (axis.way * off > 0) axis.far = at;
      else if (Math.abs(off) > TURN_PX) {
        if (axis.way) {
          axis.turns++;
          if (timeStamp - axis.since > SWING_MS) axis.slow++;
          axis.since = timeStamp;
        }
        axis.way = Math.sign(off);
        axis.far = at;
      }
    });
  }
  // Whether a shake is meant, and whether it is too slow.
  get meant() { return this.axes.some(({ turns }) => turns > 1); }
  get slow() { return this.axes.some(({ slow }) => slow > 1); }
}

const beyond = (value, least) => Math.sign(value) * Math.max(0, Math.abs(value) - least);

export class Device {
  // ``table``: the connection if it is to be played, null if it is only looked at.
  constructor(name, table) {
    this.name = name;
    this.table = table;
    this.dragging = null;
    this.samples = [];
    this.swipe = null; // what a thumb that went over it does: (px right, px down)
    this.turns = 0; // the entries by which the dial moves before a touch of the pad does what is written on it
    this.turned = null; // called with these in place of the touch
    this.feeble = null; // called when a shake of a finger is too slow, and when it has come to rest
    this.staysOpen = false; // whether the lid stays open when it is let go: all may see what it shows
    this.root = having(node("section", "device"), { "aria-label": `${say("handheld")} ${name}` });
    this.body = node("div", "case");
    this.glass = having(node("canvas", "glass"), { role: "img", width: COLUMNS * 4, height: ROWS * 4 });
    const bezel = node("div", "bezel", this.glass);
    this.lid = node(table ? "button" : "div", "lid", node("span", "thumb"));
    this.pad = node(table ? "button" : "div", "pad", node("span", "led"));
    this.slot = node("div", "slot"); // for what a page shows on the case
    this.body.append(node("span", "brand", "Mäxchen"), bezel, this.slot, node("div", "front", this.lid, this.pad));
    this.live = node("p", "hidden");
    this.root.append(this.body, this.live);
    if (table) this.#playable();
    this.panel(0, null);
    new ResizeObserver(() => this.#fit()).observe(bezel);
  }

  // Whole picture pixels for every pixel of the display: it stays crisp at any size.
  #fit() {
    const bezel = this.glass.parentElement;
    const style = getComputedStyle(bezel);
    const room = bezel.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const ratio = window.devicePixelRatio || 1;
    let k = Math.max(1, Math.floor(room * ratio / COLUMNS));
    const fits = k * COLUMNS / ratio > 0.86 * room;
    if (!fits) k += 2; // too small a picture is worse than one that is scaled
    this.glass.style.width = fits ? `${k * COLUMNS / ratio}px` : "100%";
    if (this.glass.width === k * COLUMNS) return;
    this.glass.width = k * COLUMNS;
    this.glass.height = k * ROWS;
    this.panel(...this.shown);
  }

  #playable() {
    this.root.classList.add("mine");
    this.lid.type = this.pad.type = "button";
    this.labels = [node("span", "label"), node("span", "label")];
    this.lid.append(this.labels[0]);
    this.pad.append(this.labels[1]);
    this.does();
    this.live.setAttribute("aria-live", "polite");
    const held = (button, what) => {
      const set = (on) => {
        if (button.dataset.on === String(on)) return;
        if (what === "touch" && on) set.turns = this.turns;
        if (set.turns) {
          button.dataset.on = String(on);
          if (!on && set.turns === this.turns) this.turned(set.turns);
          return;
        }
        const covers = on && what === "lift" && this.isOpen && !set.latched; // pressed again before it falls closed
        button.dataset.on = String(on && !covers);
        this.table.mine(covers ? { do: "cover" } : { do: what, on });
      };
      let closedAt = -1e9;
      const begin = (event) => {
        if (set.latched) closedAt = event.timeStamp;
        set.latched = false;
        set(true);
      };
      const letGo = () => {
        set.latched ||= what === "lift" && this.staysOpen && button.dataset.on === "true";
        if (!set.latched) set(false);
      };
      whilePressed(having(button, { "aria-pressed": false }), begin, letGo);
      button.addEventListener("blur", letGo);
      if (what === "lift") {
        set.latch = (on) => {
          set.latched = on;
          button.dataset.on = String(on);
          this.table.mine(on ? { do: what, on } : { do: "cover" });
        };
        button.addEventListener("dblclick", (event) => event.timeStamp - closedAt > 700 && set.latch(true));
      }
      button.addEventListener("keydown", (event) => {
        if (event.key !== " " && event.key !== "Enter") return;
        event.preventDefault();
        event.stopPropagation();
        if (!event.repeat) begin(event);
      });
      button.addEventListener("keyup", (event) => {
        if (event.key === " " || event.key === "Enter") { event.preventDefault(); event.stopPropagation(); letGo(); }
      });
      return set;
    };
    this.setLift = held(this.lid, "lift");
    this.setTouch = held(this.pad, "touch");
    this.body.addEventListener("pointerdown", (event) => this.#take(event));
    this.body.addEventListener("pointermove", (event) => this.#drag(event));
    for (const end of ["pointerup", "pointercancel"]) this.body.addEventListener(end, () => this.#letGo());
    this.body.addEventListener("wheel", (event) => {
      event.preventDefault();
      const now = performance.now();
      if (now - (this.wheeled ?? -1e9) < 140) return;
      this.wheeled = now;
      this.press(event.deltaY + event.deltaX > 0 ? "right" : "left");
    }, { passive: false });
  }

  latch() {
    this.setLift?.latch(!(this.setLift.latched && this.lid.dataset.on === "true"));
  }
  key(key, on) {
    this.table?.mine({ do: "key", key, on }); // one that is only looked at has no hand
  }
  press(key) {
    this.key(key, true);
    this.key(key, false);
  }

  #take(event) {
    if (event.button || this.dragging || event.target.closest("button:not(.case)")) return;
    this.body.setPointerCapture(event.pointerId);
    const isStroke = event.pointerType === "touch" && this.swipe !== null;
    this.dragging = { x: event.clientX, y: event.clientY, tilt: event.shiftKey, stroke: isStroke ? new Stroke(event, (key, on) => this.key(key, on)) : null };
    this.body.classList.add("held");
    this.swings = new Swings(event);
    if (!this.dragging.tilt) this.#sample(event);
  }
  #drag(event) {
    if (!this.dragging) return;
    if (this.dragging.tilt) {
      const roll = Math.max(-65, Math.min(65, (event.clientX - this.dragging.x) / 2));
      const pitch = Math.max(-45, Math.min(45, (this.dragging.y - event.clientY) / 3));
      if (!this.tilting) {
        this.tilting = setTimeout(() => { this.tilting = null; this.table.mine({ do: "tilt", ...this.tilted }); }, 40);
      }
      this.tilted = { roll, pitch };
      return;
    }
    const events = event.getCoalescedEvents?.() ?? [];
    for (const each of events.length ? events : [event]) {
      this.#sample(each);
      this.swings.follow(each);
    }
    if (this.swings.slow) this.feeble?.();
    if (this.dragging.stroke && !this.dragging.stroke.goesOn(event)) this.dragging.stroke = null;
    const far = (value) => 70 * Math.tanh(value / 70);
    this.body.style.setProperty("--dx", `${far(event.clientX - this.dragging.x)}px`);
    this.body.style.setProperty("--dy", `${far(event.clientY - this.dragging.y)}px`);
  }
  #sample(event) {
    const mm = REACH * WIDE_MM / Math.min(this.body.offsetWidth, MOST_WIDE_PX);
    const { x, y } = this.dragging;
    const within = (each) => Math.max(-2900, Math.min(2900, each * mm));
    this.samples.push([event.timeStamp, within(event.clientX - x), within(y - event.clientY)]);
    if (!this.flushing) this.flushing = setTimeout(() => this.#flush(), 16);
  }
  #flush() {
    this.flushing = null;
    if (this.dragging?.stroke) return; // it may be a swipe yet
    while (this.samples.length) {
      const at = this.samples.splice(0, 60).map((row) => row.map((each) => Math.round(each * 100) / 100));
      this.table.mine({ do: "drag", at });
    }
  }
  #letGo() {
    if (!this.dragging) return;
    if (this.dragging.stroke) {
      this.samples = [];
      const { dx, dy } = this.dragging.stroke;
      if (!this.dragging.stroke.end() && Math.max(Math.abs(dx), Math.abs(dy)) > STROKE_PX) this.swipe?.(dx, dy);
    }
    if (this.dragging.tilt) {
      clearTimeout(this.tilting);
      this.tilting = null;
      this.table.mine({ do: "tilt", roll: 0, pitch: 0 });
    }
    if (this.swings.meant && !this.dragging.tilt) setTimeout(() => this.feeble?.(), THROWN_MS);
    this.dragging = null;
    this.#flush();
    this.body.classList.remove("held");
    this.body.style.setProperty("--dx", "0px");
    this.body.style.setProperty("--dy", "0px");
  }

  // What the flap and the pad do now is written on them.
  does(lid = say("lift"), pad = say("pad")) {
    this.labels[0].textContent = lid;
    this.labels[1].textContent = pad;
  }
  says(text) {
    this.text = text;
    // The one live region for what happens: of what a display says, what is new is spoken, once.
    const sentences = text.split(/(?<=[.?!…] )/);
    for (const each of [...this.live.children]) if (!sentences.includes(each.textContent)) each.remove();
    sentences.forEach((each, place) => {
      const there = this.live.children[place];
      if (there?.textContent !== each) this.live.insertBefore(node("span", "", each), there ?? null);
    });
    while (this.live.children.length > sentences.length) this.live.lastChild.remove();
    this.glass.setAttribute("aria-label", `${say("display")} ${this.name}: ${text || say("dark")}`);
  }
  state(news) {
    if ("lid" in news) {
      this.body.style.setProperty("--lid", news.lid);
      this.isOpen = news.lid > 0.15;
      this.body.classList.toggle("open", this.isOpen);
      if (this.table) this.lid.setAttribute("aria-pressed", String(this.isOpen));
    }
    if ("led" in news) {
      this.body.classList.toggle("lit", news.led);
      if (this.table) this.pad.setAttribute("aria-pressed", String(news.led));
    }
    if ("power" in news) this.root.classList.toggle("off", !news.power);
    if ("doing" in news) this.body.classList.toggle("shaking", news.doing === "shakes" && !this.dragging);
    if ("roll" in news) this.body.style.setProperty("--roll", `${beyond(news.roll, 9)}deg`);
    if ("pitch" in news) this.body.style.setProperty("--pitch", `${-beyond(news.pitch + 17, 14) * 0.7}deg`);
  }
  // What the display shows: 0 is dark.
  panel(contrast, memory) {
    this.shown = [contrast, memory?.slice() ?? null];
    const canvas = this.glass, pen = canvas.getContext("2d");
    const k = canvas.width / COLUMNS;
    this.body.classList.toggle("lighted", contrast > 0);
    pen.fillStyle = "#050a14";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    if (!memory || !contrast) return;
    pen.fillStyle = contrast > 100 ? "#b4f4ff" : "#86d3ea";
    const dot = k > 2 ? k - 1 : k;
    for (let page = 0; page < ROWS / 8; page++) {
      for (let x = 0; x < COLUMNS; x++) {
        const column = memory[page * COLUMNS + x];
        if (!column) continue;
        for (let bit = 0; bit < 8; bit++) {
          if (column >> bit & 1) pen.fillRect(x * k, (page * 8 + bit) * k, dot, dot);
        }
      }
    }
  }
}

// Keys of the whole page, for the handheld in one's hands. A key that is held is held in the hand, too.
// They play wherever the focus is but in a field; there Escape gives them back. Enter presses what has the focus ring.
// A letter goes by its place on the keyboard where that writes another alphabet.
function keyOf({ key, code }) {
  if (key.length > 1) return key;
  return key > "\u024f" && code.startsWith("Key") ? code.slice(3).toLowerCase() : key.toLowerCase();
}
const FIELDS = "input, select, textarea, dialog, .lobby";
// ``played``: returns the handheld that they move.
export function listenToKeys(played, table) {
  const down = new Map(); // what to undo when a key comes up
  const held = (key) => [() => played().key(key, true), () => played().key(key, false)];
  const hands = {
    " ": held("shake"), ArrowLeft: held("left"), ArrowRight: held("right"), Enter: held("tap"), h: held("hold"),
    l: [() => played().setLift?.(true), () => played().setLift?.(false)], u: [() => played().latch()], d: [() => table.mine({ do: "drop" })],
  };
  const letGo = () => { for (const undo of down.values()) undo(); down.clear(); };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = keyOf(event);
    if (key === "Escape") document.activeElement?.blur();
    if (event.target.closest?.(FIELDS)) return;
    if (key === "Enter" && event.target.matches?.(":focus-visible") && event.target.closest("button, a, summary")) return;
    if (!hands[key] || !played()) return;
    event.preventDefault();
    if (event.repeat || down.has(key)) return;
    const [begin, end] = hands[key];
    begin();
    if (end) down.set(key, end);
  });
  addEventListener("keyup", (event) => {
    const key = keyOf(event);
    if (!down.has(key)) return;
    event.preventDefault(); // a button that has the focus is not pressed by it
    down.get(key)();
    down.delete(key);
  });
  addEventListener("blur", letGo);
  document.addEventListener("visibilitychange", letGo);
  // What was clicked does not keep the keys of the game.
  addEventListener("pointerup", () => setTimeout(() => document.activeElement?.matches("button, summary") && document.activeElement.blur()));
  addEventListener("change", (event) => event.target.matches(":is(select, input):not(.lobby *)") && event.target.blur());
}

// Buttons for the same, where there is no keyboard: held as long as they are pressed.
export function controls(device, table) {
  const bar = node("div", "controls");
  const holding = (key, ...signs) => {
    // A click that no pointer made: a keyboard's, or a screen reader's.
    const made = button("", ({ detail }) => { if (detail === 0) device.press(key); }, ...signs);
    bar.append(having(made, { "aria-label": say(key), "title": say(key), "data-key": key }));
    return whilePressed(made, () => device.key(key, true), () => device.key(key, false));
  };
  holding("left", "◀ ", node("span"));
  holding("shake", say("shake")).className = "wide";
  holding("right", node("span"), " ▶");
  return bar;
}
