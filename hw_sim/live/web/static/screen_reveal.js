// A cup is lifted: pause, drum, dice, verdict, who pays. Everything in it is public by then.
import { cup, die, escape, faceSvg, match, numerals, ring } from "./faces.js";
import { fit, isCalm, listed, make, move, put, rich, stage, tell, write } from "./screen_stage.js";
import { tallyOf } from "./screen_table.js";

const RANKING = [31, 32, 41, 42, 43, 51, 52, 53, 54, 61, 62, 63, 64, 65, 11, 22, 33, 44, 55, 66, 21];
const valueOf = (dice) => (dice.length === 2 ? Math.max(...dice) * 10 + Math.min(...dice) : 0);
// Which die falls first: the one after which both verdicts are still possible, else the higher.
function firstDie([one, other], announced) {
  const holds = (a, b) => RANKING.indexOf(valueOf([a, b])) >= RANKING.indexOf(announced);
  const open = (die) => { const all = [1, 2, 3, 4, 5, 6].map((each) => holds(die, each)); return all.includes(true) && all.includes(false); };
  const [high, low] = one >= other ? [one, other] : [other, one];
  return open(high) || !open(low) ? [high, low] : [low, high];
}

export class Reveal {
  // ``table``: the table's scene; ``doubter`` lifts what ``speaker`` has announced as ``value``.
  constructor(table, sounds, { speaker, doubter, value, word }) {
    Object.assign(this, { table, sounds, speaker, doubter, value });
    this.root = make("layer dark", make("felt"));
    this.left = this.#face(speaker, 190, "smug");
    this.right = this.#face(doubter, 1450, "stern");
    this.claim = make("bubble small", "", { x: 404, y: 62, w: 326, h: 206 });
    if (value) this.claim.append(make("", numerals(value), { w: 212, margin: "22px auto" }));
    if (word) { // what was said in words is shown so
      const said = make("words at", escape(word), { position: "relative" });
      this.claim.replaceChildren(said);
      put(said, { "line-height": "180px" });
      this.word = said;
    }
    this.cup = make("cup", cup(), { x: 828, y: 340, w: 270 });
    this.tallies = [this.#tally(speaker, 230), this.#tally(doubter, 1500)];
    this.title = make("at voice headline", "", { x: 800, y: 66, w: 1000, "text-align": "center" });
    this.root.append(this.claim, this.cup, this.title);
  }
  #face(seat, x, mood) {
    const made = make("actor", faceSvg(this.table.faceOf(seat), mood, [x < 900 ? .8 : -.8, .3]), { x, y: 420, w: 290 });
    const name = make("at voice", escape(this.table.names[seat]), { x: x - 105, y: 796, w: 500, "text-align": "center" });
    this.root.append(made, name);
    name.style.fontSize = "76px";
    (this.labels ??= []).push(name);
    return made;
  }
  #tally(seat, x) {
    const made = make("tally big", tallyOf(this.table.standing.scores[seat], this.table.most), { x, y: 905, scale: "1.35", "transform-origin": "0 0" });
    this.root.append(made);
    return made;
  }
  mood(made, seat, mood) {
    made.innerHTML = faceSvg(this.table.faceOf(seat), mood, [made === this.left ? .8 : -.8, .3]);
  }
  // Lights down; the cup is still closed.
  begin() {
    stage.replaceChildren(this.root);
    if (this.word) fit(this.word, 270, 84, 48);
    this.say("lifts", { B: this.table.names[this.doubter] });
    move(this.root, [{ opacity: .2 }, { opacity: 1 }], 300);
    this.sounds.heartbeat();
  }
  say(name, places, more = "") {
    this.title.textContent = tell(name, places) + more;
    fit(this.title, 980, 120);
  }
  // The dice are known now, and shown with a drum before. ``shown`` is called with the verdict.
  async play(beats, { dice, announced, lied, tower, drumMs }, shown) {
    const [first, second] = firstDie(dice, announced);
    this.sounds.drum(drumMs);
    if (!isCalm()) this.shiver = this.cup.animate([{ transform: "rotate(-2deg)" }, { transform: "rotate(2deg)" }, { transform: "rotate(-2deg)" }], { duration: 160, iterations: Infinity });
    await beats.wait(drumMs);
    this.shiver?.cancel();
    this.sounds.hush();
    await beats.wait(400);
    move(this.cup, [{ transform: "none" }, { transform: "translate(440px, -190px) rotate(112deg) scale(.8)" }], 500, "travel");
    const one = this.#die(first, 650, -4), other = this.#die(0, 1000, 24);
    await beats.wait(300);
    this.root.append(one, other);
    move(other, [{ transform: "scale(.6)", opacity: 0 }, { transform: "none", opacity: 1 }], 200);
    move(one, [{ transform: "translateY(-240px) rotate(-190deg)" }, { transform: "none" }], 450, "pop");
    this.sounds.die();
    this.say(`die_${first}`, {}, " …");
    await beats.wait(1000);
    put(other, { rotate: "5deg" });
    other.innerHTML = die(second);
    move(other, [{ transform: "translateY(-200px) rotate(160deg)" }, { transform: "none" }], 450, "pop");
    this.sounds.die();
    await beats.wait(700);
    this.verdict({ dice, announced, lied, tower });
    shown();
  }
  #die(pips, x, turn) {
    return make("cup", die(pips), { x, y: 570, w: 258, rotate: `${turn}deg` });
  }
  // The faces swap in one frame: the laugh of the evening.
  verdict({ dice, announced, lied, tower }) {
    const was = valueOf(dice), more = !lied && announced !== null && was !== announced && RANKING.indexOf(was) > RANKING.indexOf(announced);
    this.title.textContent = "";
    move(this.cup, [{ opacity: 1 }, { opacity: 0 }], 1);
    this.mood(this.left, this.speaker, lied ? "shock" : "laugh");
    this.mood(this.right, this.doubter, lied ? "laugh" : "shock");
    if (lied) this.claim.append(make("strike"));
    const word = tell(tower ? "tower" : lied ? "lie" : more ? "more" : "true");
    this.stamp = make(`stamp voice at${lied ? "" : more ? " more" : " true"}`, escape(word));
    this.root.append(this.stamp);
    fit(this.stamp, 900, 178, 110);
    const wide = this.stamp.offsetWidth;
    put(this.stamp, { x: 960 - wide / 2, y: 300 - this.stamp.offsetHeight / 2 + 60 });
    move(this.stamp, [{ transform: "scale(1.6)", opacity: 0 }, { transform: "none", opacity: 1 }], 180, "hit");
    if (lied) this.sounds.lie(); else this.sounds.true();
    this.was = was;
  }
  // Who pays: a line, and a match burns.
  pays(payers, scores) {
    for (const each of this.labels) each.remove();
    const A = listed(payers.map((seat) => this.table.names[seat]));
    const line = make("at centre voice headline", rich(A ? "itWasPays" : "itWas", { A }, { v: this.was }), { y: 874 });
    this.root.append(line);
    fit(line, 940, 104, 62);
    this.tallies.forEach((made, index) => {
      const seat = index ? this.doubter : this.speaker, score = scores[seat], before = this.table.standing.scores[seat];
      made.innerHTML = tallyOf(score, this.table.most);
      if (score.unit === "match" && score.count < before.count && made.children[score.count]) {
        made.children[score.count].innerHTML = match("burns");
        move(made.children[score.count], [{ transform: "scale(.6)" }, { transform: "scale(1.25)" }, { transform: "none" }], 900);
        this.sounds.hiss();
      }
    });
  }
}

// A Mäxchen is shown to all: full gold.
export function showMaexchen(table, sounds, seat, line) {
  const rays = make("rays");
  const face = make("actor", faceSvg(table.faceOf(seat), "laugh"), { x: 826, y: 96, w: 268 });
  const dice = [make("cup", die(2), { x: 330, y: 130, w: 300, rotate: "-13deg" }), make("cup", die(1), { x: 1280, y: 130, w: 300, rotate: "11deg" })];
  const top = make("layer", [face, ...dice], { "z-index": 1 });
  stage.replaceChildren(make("layer gilt", [rays, top]));
  const word = write(top, "at centre voice maexchen-word", tell("maexchen"), { y: 440, "line-height": "1.1" }, 1700, 322, 200);
  write(top, "at centre voice", tell("beats", { A: table.names[seat] }), { y: 838, color: "#2b1405" }, 1500, 96);
  if (line) write(top, "at centre", line, { y: 952, color: "#2b1405" }, 1500, 70, 57);
  if (!isCalm()) {
    move(rays, [{ transform: "scale(.2) rotate(0deg)" }, { transform: "none" }], 1200, "travel");
    rays.animate([{ rotate: "0deg" }, { rotate: "360deg" }], { duration: 60000, iterations: Infinity });
  }
  move(word, [{ transform: "scale(1.6)", opacity: 0 }, { transform: "none", opacity: 1 }], 250, "hit");
  sounds.fanfare();
}

const WAVES = [["#2f8ecb", 470], ["#3ba2df", 500], ["#2c86c0", 690], ["#175f92", 810]];
const wave = (fill) => `<svg viewBox="0 0 2320 700"><path d="M0 30 ${"q80 -60 160 0 t160 0 ".repeat(8)} V700 H0 z" fill="${fill}"/></svg>`;
// The last match has burnt: somebody swims.
export function showSwims(table, sounds, seat) {
  const face = make("actor", faceSvg(table.faceOf(seat), "shock", [0, .3]), { x: 775, y: 215, w: 370 });
  const float = make("cup", ring(), { x: 640, y: 505, w: 640 });
  const waves = WAVES.map(([fill, y], place) => make("wave", wave(fill), { y: y + (place ? 0 : 14) }));
  const root = make("layer sea", [waves[0], waves[1], make("layer", [face, float]), waves[2], waves[3]]);
  stage.replaceChildren(root);
  write(root, "at centre voice headline", tell("swims", { A: table.names[seat] }), { y: 770 }, 1700, 160);
  write(root, "at centre plain", tell("oneMore"), { y: 952 }, 1600, 74, 57);
  waves.forEach((each, place) => {
    move(each, [{ transform: "translateY(600px)" }, { transform: "none" }], 700, "travel");
    if (!isCalm()) each.animate([{ translate: "0 0" }, { translate: `${place % 2 ? -160 : 160}px 0` }], { duration: 6000 + 900 * place, iterations: Infinity, direction: "alternate", easing: "ease-in-out" });
  });
  sounds.splash();
}
