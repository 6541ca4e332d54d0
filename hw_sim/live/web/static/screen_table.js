// The table between two scenes: a horseshoe of seats, who acts, what was announced, the ladder, open dice.
import { BOTS, board, coaster, cup, die, escape, faceSvg, isDrawn, match, mug, numerals, slate } from "./faces.js";
import { node } from "./nodes.js";
import { appear, fit, isCalm, make, move, put, stage, tell, write } from "./screen_stage.js";

const RIM = "M172 700 V330 Q172 102 420 102 H1500 Q1748 102 1748 330 V700";
const rim = document.createElementNS("http://www.w3.org/2000/svg", "path");
rim.setAttribute("d", RIM);
const INSET = { 1: .5, 2: .3, 3: .22, 4: .16, 5: .12, 6: .09, 7: .04, 8: 0, 9: 0 };
export function spots(count) {
  const long = rim.getTotalLength(), inset = INSET[count];
  return Array.from({ length: count }, (_, seat) => {
    const { x, y } = rim.getPointAtLength(long * (count === 1 ? .5 : inset + (1 - 2 * inset) * seat / (count - 1)));
    return [x, y];
  });
}
const SPEAKER = [340, 510], DECIDER = [1320, 500], MIDDLE = [430, 395];
const NAME = 57, LONG_NAME = 48, REACTS_MS = 2400, UNDER_NAMES = 262;
export const nameSize = (name) => (name.length > 8 ? LONG_NAME : NAME);

export class TableScene {
  // ``news``: the welcome; ``faceOf``: returns the face of a seat.
  constructor(news, faceOf, sounds) {
    Object.assign(this, { names: news.names, ladder: news.ladder, faceOf, sounds });
    this.moods = this.names.map(() => "calm");
    this.asleep = new Set();
    this.reactions = new Map();
    this.root = make("layer");
    this.at = spots(this.names.length);
    this.seats = this.at.map(([x, y], seat) => {
      const made = make(`seat${x > 1640 ? " right" : ""}`, `<div class="mat"></div><div class="face"></div><div class="name">${escape(this.names[seat])}</div><div class="tally"></div>${news.handhelds?.includes(seat) ? `<div class="with-board">${board()}</div>` : ""}`, { x: x - 84, y: y - 84 });
      made.querySelector(".name").style.fontSize = `${nameSize(this.names[seat])}px`;
      return made;
    });
    this.code = make("at code", "");
    this.rungs = make("ladder", this.ladder.map((value) => node("span", { 21: "maexchen", 11: "pasch" }[value], String(value))));
    this.marker = make("marker", "", { w: 92 });
    this.middle = make("layer");
    this.talk = make("layer");
    this.root.append(make("felt"), ...this.seats, this.code, this.rungs, this.marker, this.middle, this.talk);
    this.faces();
  }
  show() {
    if (this.root.parentNode !== stage || stage.children.length > 1) stage.replaceChildren(this.root);
  }
  // Who sits where: faces look at whoever acts.
  faces() {
    this.seats.forEach((made, seat) => {
      const gaze = this.gaze(this.at[seat], [960, 900]);
      const mood = this.asleep.has(seat) ? "sleep" : this.reactions.get(seat)?.mood ?? this.moods[seat];
      const face = made.querySelector(".face"), key = `${this.faceOf(seat)} ${mood} ${gaze.map((each) => each.toFixed(1))}`;
      const empty = this.acting?.includes(seat) ?? false;
      if (face.dataset.key !== key || empty !== (face.firstChild === null)) {
        face.dataset.key = key;
        face.innerHTML = empty ? "" : faceSvg(this.faceOf(seat), mood, gaze);
      }
      made.classList.toggle("empty", empty);
      made.classList.toggle("asleep", this.asleep.has(seat));
    });
  }
  gaze([x, y], otherwise = [960, 540]) {
    const [fx, fy] = this.focus ?? otherwise, far = Math.hypot(fx - x, fy - y) || 1;
    return [(fx - x) / far, (fy - y) / far];
  }
  // How the match stands: tallies, ladder, who is next.
  stands(standing) {
    this.standing = standing;
    const { scores, bid, turn } = standing;
    scores.forEach((score, seat) => {
      const made = this.seats[seat], key = JSON.stringify(score);
      made.classList.toggle("acts", turn === seat);
      made.classList.toggle("gone", score.status === "out" || score.status === "left");
      made.classList.toggle("swims", score.status === "swims");
      const tally = made.querySelector(".tally");
      if (tally.dataset.key !== key) {
        tally.dataset.key = key;
        tally.innerHTML = tallyOf(score, this.most ??= Math.max(...scores.map((each) => each.count)));
        made.querySelector(".water")?.remove();
        if (score.status === "swims") made.insertBefore(make("water", `<svg viewBox="0 0 224 76">${wavelet}</svg>`), made.querySelector(".name"));
      }
    });
    const place = this.climbs(bid?.value);
    this.marker.replaceChildren();
    if (place >= 0 && standing.turn !== null && this.acting?.[0] !== bid.by) {
      const rung = this.rungs.children[place];
      put(this.marker, { x: 44 + rung.offsetLeft + rung.offsetWidth / 2 - 46, y: 866 });
      this.marker.innerHTML = faceSvg(this.faceOf(bid.by), "smug");
    }
    this.#open(standing);
  }
  // The ladder shows what is to be beaten; returns its rung, -1 for none.
  climbs(value) {
    const place = this.ladder.indexOf(value);
    if (place === this.rung) return place;
    this.rung = place;
    [...this.rungs.children].forEach((rung, index) => {
      rung.classList.toggle("by", index < place);
      rung.classList.toggle("now", index === place);
    });
    this.marker.replaceChildren();
    if (place >= 0) this.sounds.tock(place);
    return place;
  }
  // The middle of the table: nobody is drawn twice.
  clear() {
    this.middle.replaceChildren();
    this.acting = [];
    this.cup = this.bubble = null;
    this.focus = null;
  }
  headline(text, y = 770, size = 132) {
    this.title?.remove();
    this.title = write(this.middle, "at centre voice headline", text, { y }, 1120, size);
  }
  #actor(seat, [x, y], mood, wide = 300) {
    const made = make("actor", faceSvg(this.faceOf(seat), mood, this.gaze([x, y])), { x, y, w: wide });
    this.middle.append(made);
    return made;
  }
  #putCup(x, y, w) {
    this.cup = make("cup", cup(), { x, y, w });
    this.middle.append(this.cup);
  }
  // Somebody takes the cup to the middle.
  acts(seat, text) {
    const same = this.acting?.length === 1 && this.acting[0] === seat && this.cup;
    if (!same) {
      this.clear();
      this.acting = [seat];
      this.focus = [960, 520];
      const [sx, sy] = this.at[seat];
      const actor = this.actor = this.#actor(seat, MIDDLE, "grin");
      move(actor, [{ transform: `translate(${sx - 580}px, ${sy - 545}px) scale(.5)` }, { transform: "none" }], 400, "pop");
      this.#putCup(900, 378, 240);
      appear(this.cup, 300);
      this.sounds.knock();
    }
    if (this.said !== text || !same) this.headline(this.said = text, 732);
    this.faces();
  }
  mood(seat, mood) {
    this.moods[seat] = mood;
    if (this.acting?.[0] === seat && this.actor) this.actor.innerHTML = faceSvg(this.faceOf(seat), mood, [.8, .1]);
  }
  // Whoever is to believe smiles.
  smiles(seat) {
    if (this.acting?.[1] === seat && this.other?.isConnected) this.other.innerHTML = faceSvg(this.faceOf(seat), "laugh", this.gaze(DECIDER));
  }
  shakes(on) {
    if (!this.cup || this.isShaking === on) return;
    this.isShaking = on;
    this.shaking?.cancel();
    this.middle.querySelectorAll(".whoosh").forEach((each) => each.remove());
    if (!on) { this.sounds.down(); return; }
    this.shaking = this.cup.animate(isCalm() ? [{ opacity: 1 }, { opacity: .8 }, { opacity: 1 }] : [{ transform: "translate(-26px, 0) rotate(-9deg)" }, { transform: "translate(26px, -12px) rotate(9deg)" }, { transform: "translate(-26px, 0) rotate(-9deg)" }], { duration: isCalm() ? 800 : 230, iterations: Infinity });
    for (const [x, turn] of [[820, 0], [1180, 180]]) this.middle.append(make("whoosh", whoosh, { x, y: 420, w: 60, rotate: `${turn}deg` }));
    this.sounds.rattle(this.at[this.acting[0] ?? this.standing.turn][0] / 960 - 1);
  }
  // What was said stands in a bubble: numerals, and the same in words. ``patter``: a bot's line under it.
  says(seat, { value, word, patter = "" }) {
    this.clear();
    this.acting = [seat];
    this.focus = [960, 480];
    this.actor = this.#actor(seat, SPEAKER, "smug", 290);
    this.#bubble(value, word, patter, { x: 690, y: 288, w: 840, h: 516 }, 340);
    this.#putCup(585, 770, 118);
    appear(this.bubble, 350);
    this.faces();
  }
  #bubble(value, word, patter, box, high) {
    const isNumber = isDrawn(value), lines = (word ? 1 : 0) + (patter ? 1.5 : 0);
    if (patter) box = { ...box, y: box.y - 34, h: box.h + 44 };
    this.bubble = make("bubble", "", box);
    this.middle.append(this.bubble);
    const tall = isNumber ? Math.min(high, box.h - 60 - lines * 86) : 0;
    if (isNumber) this.bubble.append(make("", numerals(value), { w: tall * 212 / 140, margin: "6px auto 14px" }));
    const written = word || (isNumber ? "" : String(value));
    if (written) {
      const said = make("words at", escape(written), { position: "relative" });
      this.bubble.append(said);
      fit(said, box.w - 80, isNumber ? 76 : 150);
      for (const size of isNumber ? [] : [112, 96, 84, 72, 62]) { // until the longest word is inside
        put(said, { "white-space": "normal", size, padding: "0 20px" });
        if (said.scrollWidth <= box.w - 16) break;
      }
    }
    if (patter) {
      const line = make("patter at", escape(patter), { position: "relative" });
      this.bubble.append(line);
      put(line, { "white-space": "normal", size: 54, padding: "0 26px" });
    }
  }
  // The cup travels, and somebody is to believe.
  offers(speaker, decider, { value, word, patter }, text) {
    const was = this.cup?.isConnected && this.acting?.[0] === speaker;
    this.clear();
    this.acting = [speaker, decider];
    this.focus = [1420, 600];
    this.actor = this.#actor(speaker, [330, 494], "smug", 240);
    this.#bubble(value, word, patter, { x: 636, y: 292, w: 648, h: 440 }, 260);
    const other = this.other = this.#actor(decider, DECIDER, "think", 280);
    this.#putCup(1284, 648, 132);
    if (was) {
      move(this.cup, [{ transform: "translate(-720px, 110px)" }, { transform: "translate(-360px, -60px)", offset: .5 }, { transform: "none" }], 600, "travel");
      this.sounds.slide();
    }
    const [sx, sy] = this.at[decider];
    move(other, [{ transform: `translate(${sx - DECIDER[0] - 140}px, ${sy - DECIDER[1] - 140}px) scale(.5)` }, { transform: "none" }], 400, "pop");
    this.headline(text, 784, 124);
    this.seats[decider].classList.add("acts");
    this.faces();
  }
  // Open dice lie there for all.
  #open({ open, turn, phase }) {
    this.leads = phase === "roll_off";
    if (open && turn !== null) this.dice(open, turn, open.throw);
  }
  dice(open, seat, shown) {
    const key = JSON.stringify([open, seat, shown]);
    if (this.shownDice === key) return;
    this.shownDice = key;
    this.clear();
    this.focus = [960, 480];
    const dice = shown ? [...shown.aside, ...shown.dice] : [];
    if (dice.length) this.#row(shown, dice);
    else this.#putCup(850, 340, 220);
    const number = shown?.dice.length ? open.number : open.number + 1;
    const told = tell(this.leads ? "throwLead" : open.limit > 1 ? "throwOf" : "throwOnce", { A: this.names[seat], n: Math.max(1, Math.min(number, open.limit)), m: open.limit });
    write(this.middle, "at centre plain", told, { y: 790 }, 1400, 68, 57);
    const best = [...open.done].sort((one, other) => this.#rank(other) - this.#rank(one)).slice(0, 3).map((each, place) => make(`chip${place === 0 && !this.leads ? " best" : ""}`, `${faceSvg(this.faceOf(each.seat))}<span>${escape(this.worth(each) || "?")}</span>`));
    if (open.pile) best.push(make("chip", `${coaster()}<span>${open.pile} ${escape(tell("inPile"))}</span>`));
    this.middle.append(make("chips", best));
    this.faces();
  }
  #row(shown, dice) {
    const many = dice.length > 3, rest = [...shown.dice];
    const pairs = this.game === "sevens" && !this.leads && dice.length === 6 ? pairsOf(rest) : [];
    const row = make("throw", "", { y: many ? 362 : 330, "--die": many ? "128px" : "212px" });
    row.append(...pairs.map((pair) => make("pair", pair.map((each) => make("", die(each))))),
      ...shown.aside.map((each) => make("", die(each, "gold"))),
      ...rest.map((each, index) => make("", die(each), { rotate: `${(index % 2 ? 1 : -1) * (3 + 2 * index)}deg`, "align-self": "center" })));
    this.middle.append(row);
    for (const each of row.children) move(each, [{ transform: "translateY(-90px) rotate(-50deg)", opacity: 0 }, { transform: "none", opacity: 1 }], 450, "pop");
    if (shown.dice.length) this.sounds.die();
    write(this.middle, "at centre voice headline gold", this.worth(shown), { y: 574 }, 1200, 176);
  }
  #rank({ kind, worth }) {
    if (this.game === "sevens" && !this.leads) return -worth;
    return kind ? 1000 * ["schiet", "strasse", "pasch", "max", "general"].indexOf(kind) + worth : worth;
  }
  worth({ kind, worth, dice }) {
    if (!dice.length || worth === null) return "";
    return kind ? tell(`kind_${kind}`, { v: worth }) : String(worth);
  }
  // Best and worst of a round beside each other.
  duel(best, worst, won, lost) {
    this.acting = [best, worst];
    this.focus = [960, 480];
    this.#actor(best, [470, 320], "laugh", 330);
    this.#actor(worst, [1130, 320], "sad", 330);
    this.headline(won, 690, 112);
    write(this.middle, "at centre plain", lost, { y: 850 }, 1400, 84, 62);
    this.faces();
  }
  // A guest's reaction: their face shows it, and it stands in place of the name.
  reacts(seat, mood, said) {
    const plate = this.seats[seat].querySelector(".name"), was = this.reactions.get(seat), undo = () => {
      this.reactions.delete(seat);
      plate.classList.remove("says");
      plate.textContent = this.names[seat];
      this.faces();
    };
    clearTimeout(was?.timer);
    this.reactions.set(seat, { mood, timer: setTimeout(undo, REACTS_MS) });
    plate.classList.add("says");
    plate.textContent = said;
    this.faces();
  }
  // A bot has something to say: one at a time, and never late.
  patter(seat, text) {
    if (this.talk.childElementCount) return false;
    const [x, y] = this.at[seat], aside = x < 280 || x > 1640, top = aside ? Math.max(y - 62, UNDER_NAMES) : y + 160, made = make("patter-bubble at", escape(text), { y: top });
    this.talk.append(made);
    const wide = made.offsetWidth, from = aside ? 384 : 44; // beside the matches of who sits at a side
    const left = Math.max(from, Math.min(1920 - from - wide, x - wide / 2));
    put(made, { x: left, "--tail": `${aside ? y - top : x - left}px` });
    made.classList.add(!aside ? "up" : x < 280 ? "leftward" : "rightward");
    appear(made, 300);
    setTimeout(() => made.remove(), 3200);
    return true;
  }
}

function pairsOf(rest) {
  const pairs = [];
  for (const one of [6, 5, 4]) {
    while (rest.includes(one) && rest.includes(7 - one)) {
      rest.splice(rest.indexOf(one), 1);
      rest.splice(rest.indexOf(7 - one), 1);
      pairs.push([one, 7 - one]);
    }
  }
  return pairs;
}
export function tallyOf({ unit, count }, most) {
  if (unit === "match") return Array.from({ length: Math.max(most, count) }, (_, i) => `<div class="match">${match(i < count ? "" : "burnt")}</div>`).join("");
  const picture = { drink: mug, glass: mug, point: slate, round: slate }[unit] ?? coaster;
  return `<div class="unit">${picture()}</div><b>${count}</b>`;
}
const wavelet = `<path d="M0 24 q28 -26 56 0 t56 0 t56 0 t56 0 V76 H0 z" fill="#3aa3e0"/><path d="M0 24 q28 -26 56 0 t56 0 t56 0 t56 0" fill="none" stroke="#d6efff" stroke-width="6"/>`;
const whoosh = `<svg viewBox="0 0 60 130"><path d="M22 10 Q-4 60 10 112 M48 20 Q24 64 36 118" fill="none" stroke="#f2c45a" stroke-width="9" stroke-linecap="round"/></svg>`;
export const botFace = (kind) => BOTS[kind] ?? "tin";
