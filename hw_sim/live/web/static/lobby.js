// A party between its matches: who has a place, what is played next, and who lost how often.
import { BOTS, CHARACTERS, faceSvg } from "./faces.js";
import { ask, passedOn } from "./line.js";
import { preparation } from "./socket.js";
import { language, say } from "./words.js";
import { refusal, roomControls, watchName } from "./guest.js";
import { button, choices, drawing, field, having, labelled, link, node, numberField, optionField, status } from "./nodes.js";

const KINDS = ["honest", "trusting", "cheeky", "random", "learner", "skilled", "expert", "shark"]; // as in bot_kinds.py

const faceOf = ({ face }) => (face ? [drawing("face-mark", faceSvg(face))] : []);

// The other guests whose handhelds are not there, and who do not play the next match; "" for none.
export const lateOf = ({ places, place }) => {
  const names = places.filter((each, index) => each.name !== null && !each.own && index !== place).map((each) => each.name);
  return names.length ? say("own_lateOf", { names: names.join(", ") }) : "";
};

// A table's own rules, kept in this browser.
const OURS = "maexchen.ours";
const ours = () => { try { return JSON.parse(localStorage.getItem(OURS)); } catch { return null; } };
const FEW_OPTIONS = 3, ANSWERED_MS = 10_000;

// What the sheet is drawn from.
const wanted = (news) => news && JSON.stringify([news.plan, news.host, news.room, news.places.map(({ name }) => name)]);

export class Lobby {
  // ``table``: the connection.
  constructor(table) {
    this.table = table;
    this.places = node("ul", "places");
    this.plan = node("div", "plan");
    this.sentence = node("p", "sentence");
    this.lines = node("ul", "differences");
    this.notice = status("p", "why");
    this.room = status("p", "handhelds");
    this.tally = node("div", "tally");
    this.openly = node("p", "openly");
    const parts = [
      node("div", "who", node("h2", "", say("whoPlays")), this.places, this.room),
      node("div", "what", this.plan, this.notice, this.tally, this.openly),
    ];
    this.root = having(node("section", "lobby", ...parts), { "aria-label": say("lobby"), "hidden": "" }); // until it is known what games there are
    this.preparation = preparation(() => this.#countPlayers(this.news));
  }

  async told(news) {
    const was = wanted(this.news);
    this.granted = news.plan;
    if (this.wish && JSON.stringify(news.plan) !== JSON.stringify(this.wish)) news = { ...news, plan: this.wish }; // an older answer
    else this.wish = null;
    this.news = news;
    try {
      this.games ??= (await (await ask(`/games?language=${language}`)).json()).games;
    } catch {
      return; // the table is gone; it sends its lobby again when the page is back
    }
    this.root.hidden = false;
    if (news.alone && !this.name) this.#alone(news);
    const me = news.places[news.place]; // who could see the dice of this phone
    if (!news.alone) this.openly.textContent = me ? say(me.own ? "own_kept" : "own_late") : "";
    this.#places(news);
    this.#tally(news);
    if (was !== wanted(news)) this.#plan(news);
    this.#tellRules(news);
    this.#countPlayers(news);
    const { door, comparing, host } = news;
    this.room.textContent = comparing ? say("comparing", { numbers: (this.numbers ?? comparing).join(" ") })
      : host && door?.room ? say("handheldRoom", { room: door.room }) : "";
    this.#say(news.hindrance);
  }
  // What was wanted is refused: the plan is the table's again.
  refused(why, between = []) {
    const isOld = why === "plan" && this.takesOurs;
    this.wish = null;
    this.news = { ...this.news, plan: this.granted };
    this.#plan(this.news);
    this.#say(isOld ? "old" : why);
    if (between.length) this.notice.textContent = `${between.join(" + ")}. ${this.notice.textContent}`;
  }
  #say(why) {
    const { alone, host, place, playing } = this.news;
    this.notice.textContent = why ? refusal(why, this.name?.value) : host && !alone && lateOf(this.news) ? lateOf(this.news) : host || (playing && place === null) ? "" : say(playing ? "nextMatch" : "hostBegins");
  }

  // Who plays alone says here what he is called.
  #alone({ places }) {
    this.name = field({ type: "text", value: places[0].name });
    this.places.before(labelled(say("yourName"), this.name));
    watchName(this.name);
    this.openly.textContent = say("waits");
    this.root.setAttribute("aria-label", say("otherGame"));
    this.root.classList.add("alone");
  }
  #places({ places, place, host, plan, alone }) {
    const items = places.map((each, index) => {
      if (each.name === null || alone) return null;
      const told = [index === place ? say("you") : each.here ? "" : say("away"), each.handheld ? say("onHandheld") : each.own || !each.here ? "" : say("own_wakes")].filter(Boolean).join(" · ");
      const item = node("li", each.here ? "guest" : "guest absent", ...faceOf(each), node("b", "", each.name), " ", node("small", "", told));
      if (host && index !== place) {
        const free = () => confirm(say("freeing", { name: each.name })) && this.table.send({ do: "free", place: index });
        item.append(" ", having(button("small", free, say("freePlace")), { "aria-label": `${say("freePlace")}: ${each.name}` }));
      }
      return item;
    });
    const bots = host ? [] : plan.bots.map((kind) => node("li", "bot", ...(CHARACTERS[kind] ? [...faceOf({ face: BOTS[kind] }), CHARACTERS[kind]] : [say("bot")]), " ", node("small", "", say(kind))));
    this.places.replaceChildren(...items.filter(Boolean), ...bots);
  }
  // The host's sheet: what is played next, how, in which room, and who fills the seats.
  #plan({ host, plan, alone, room }) {
    const game = this.games.find((each) => each.game === plan.game);
    this.plan.classList.toggle("sheet", host);
    if (!host) {
      this.plan.replaceChildren(node("h2", "", say("nextGame")), node("p", "", node("b", "", game.title)), this.sentence, this.lines);
      return;
    }
    const games = this.games.map(({ game: name, title }) => [title, name === plan.game, () => this.#choose({ game: name, options: {}, handicap: {} })]);
    const kept = ours();
    if (kept && this.games.some(({ game: name }) => name === kept.game)) games.push([say("ourRules"), false, () => { this.#choose({ ...kept, handicap: {} }); this.takesOurs = true; }]);
    const begin = button("again", () => {
      if (!alone && this.news.playing && !confirm(say("breakOff"))) return;
      this.table.send({ do: "begin", ...(alone && { name: this.name.value }) });
      this.preparation.set(true);
    });
    const controls = () => [...this.plan.querySelectorAll("select, input, button")];
    const focused = controls().indexOf(document.activeElement);
    this.plan.replaceChildren(node("h2", "", say(alone ? "nextGame" : "youHost")), choices("tiles", say("game"), ...games), this.sentence,
      this.lines, ...this.#options(game), this.#handicap(this.news), ...(alone ? [] : [roomControls(this.table, { room, host })]), this.#bots(this.news), ...this.#several(), begin);
    this.begin = begin; // a field that goes may have changed, and the sheet with it
    this.#countPlayers(this.news);
    controls()[focused]?.focus();
  }
  // What the host wants is there at once; the table answers with the same.
  #choose(change) {
    this.news = { ...this.news, plan: { ...this.news.plan, ...change } };
    this.wish = this.news.plan;
    this.takesOurs = false;
    clearTimeout(this.answered);
    this.answered = setTimeout(() => { this.wish = null; }, ANSWERED_MS);
    this.table.send({ do: "choose", plan: this.wish });
    this.#plan(this.news);
  }
  #countPlayers({ alone, places, plan, hindrance }) {
    if (!this.begin) return;
    this.begin.textContent = this.preparation.on ? say("preparing") : say("begin", { n: (alone ? 1 : places.filter((each) => each.own).length) + plan.bots.length });
    this.begin.disabled = this.preparation.on || hindrance !== "";
  }
  // Each character sits down once; who plays alone may want two of a kind.
  #bots({ plan, alone }) {
    const kinds = KINDS.filter((kind) => alone || CHARACTERS[kind] || plan.bots.includes(kind));
    return choices("tiles bots", say("botsToo"), ...kinds.map((kind) => {
      const count = plan.bots.filter((each) => each === kind).length, next = count <= Number(alone) ? count + 1 : 0;
      const [called, more] = alone || !CHARACTERS[kind] ? [say(kind), ""] : [CHARACTERS[kind], say(kind)];
      return [[...faceOf({ face: BOTS[kind] }), node("b", "", called), node("small", "", `${more}${count > 1 ? ` ×${count}` : ""}`)], count > 0,
        () => this.#choose({ handicap: Object.fromEntries(Object.entries(this.news.plan.handicap).filter(([key]) => !key.startsWith("bot "))), bots: [...this.news.plan.bots.filter((each) => each !== kind), ...Array(next).fill(kind)] })];
    }));
  }
  // Who plays better begins with less: what each has lost before the first round.
  #handicap({ plan, places, alone }) {
    const guests = alone ? [["", say("you")]] : places.filter((each) => each.name !== null).map(({ name }) => [name, name]);
    const bots = plan.bots.map((kind, place) => [`bot ${place}`, (!alone && CHARACTERS[kind]) || `${say("bot")} ${place + 1}: ${say(kind)}`]);
    const begins = (key, lost) => this.#choose({ handicap: { ...this.news.plan.handicap, [key]: lost } });
    const rows = [...guests, ...bots].map(([key, called]) => labelled(called, numberField(plan.handicap[key] ?? 0, 0, 99, (lost) => begins(key, lost))));
    const fold = node("details", "handicap", node("summary", "", say("handicap")), node("p", "sentence", say("handicapTold")), ...rows);
    fold.open = this.handicapped ?? Object.values(plan.handicap).some(Boolean);
    fold.addEventListener("toggle", () => { this.handicapped = fold.open; });
    return fold;
  }
  // A match of several people on this device begins elsewhere.
  #several() {
    if (!this.news.alone || passedOn(this.news.plan, 2) === null) return [];
    const select = node("select", "", ...[1, 2, 3, 4, 5, 6].map((count) => new Option(String(count), String(count))));
    select.addEventListener("change", () => location.assign(passedOn(this.news.plan, Number(select.value))));
    const typed = field({ type: "text", placeholder: "Ana, Ben" });
    typed.addEventListener("change", () => {
      const names = typed.value.split(",").map((each) => each.trim()).filter(Boolean);
      if (names.length) location.assign(passedOn(this.news.plan, names.length, names));
    });
    return [labelled(say("passAround"), select), labelled(say("passNames"), typed)];
  }
  // What is played and how it differs from a known table; the table tells it after each change, while somebody types on.
  #tellRules({ sentence, differences }) {
    this.sentence.textContent = sentence;
    this.lines.replaceChildren(...differences.map((line) => node("li", "", line)));
    this.lines.hidden = !differences.length;
  }
  // The first options of a game lie open; the others and the table's own rules wait behind a summary.
  #options({ game, options }) {
    const rest = node("details", "", node("summary", "", say("houseRules")), ...options.slice(FEW_OPTIONS).map((each) => this.#option(each)),
      button("small", () => { localStorage.setItem(OURS, JSON.stringify({ game, options: this.news.plan.options })); this.#plan(this.news); }, say("keepRules")));
    rest.open = this.unfolded ?? false;
    rest.addEventListener("toggle", () => { this.unfolded = rest.open; });
    return [...options.slice(0, FEW_OPTIONS).map((each) => this.#option(each)), rest];
  }
  #option(option) {
    const { options } = this.news.plan;
    return optionField(option, options[option.name], (chosen) => this.#choose({ options: { ...this.news.plan.options, [option.name]: chosen } }));
  }

  #tally({ tally }) {
    if (!tally.length) return;
    const body = node("tbody", "", ...[...tally].sort((one, other) => one.lost - other.lost).map(({ name, played, lost, crowns }) =>
      node("tr", "", having(node("th", "", name), { scope: "row" }), ...[played, lost, crowns].map((each) => node("td", "", String(each))))));
    const columns = ["", "played", "lost", "crowns"].map((word) => node("th", "", word && say(word)));
    this.tally.replaceChildren(node("h2", "", say(this.news.alone ? "soFar" : "evening")), node("table", "", node("thead", "", node("tr", "", ...columns)), body));
  }
}

// Over plain http a phone cannot be shaken itself: the way to where it can, if there is one.
export function secureLink(secure) {
  if (!secure || location.protocol === "https:") return [];
  return [link(say("shakeIt"), "trust.html", "secure")];
}
