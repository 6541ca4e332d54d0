// A party between its matches: who has a place, what is played next, and who lost how often.
import { ask } from "./line.js";
import { language, say } from "./words.js";
import { node } from "./nodes.js";

// Each with how strong it is, 0 to 100, as in bot_kinds.py.
const RATINGS = { honest: 63, trusting: 56, cheeky: 49, random: 9, learner: 77, skilled: 94, expert: 100, shark: 100 };
const KINDS = Object.keys(RATINGS);

const button = (word, className, done) => {
  const made = node("button", className, say(word));
  made.type = "button";
  made.addEventListener("click", done);
  return made;
};

const row = (words, control) => node("label", "option", node("span", "", words), control);

export class Lobby {
  // ``table``: the connection.
  constructor(table) {
    this.table = table;
    this.places = node("ul", "places");
    this.plan = node("div", "plan");
    this.notice = node("p", "why");
    this.notice.setAttribute("role", "status");
    this.tally = node("div", "tally");
    this.codes = node("ul", "codes");
    this.openly = node("p", "openly", say("openly"));
    this.root = node("section", "lobby",
      node("div", "who", node("h2", "", say("whoPlays")), this.places),
      node("div", "what", this.plan, this.notice, this.tally, this.openly),
      this.codes);
    this.root.setAttribute("aria-label", say("lobby"));
  }

  async told(news) {
    const was = JSON.stringify(this.news?.plan);
    this.news = news;
    try {
      this.games ??= (await (await ask(`/games?language=${language}`)).json()).games;
    } catch {
      return; // the table is gone; it sends its lobby again when the page is back
    }
    if (news.alone && !this.name) this.#alone(news);
    this.#places(news);
    this.#tally(news);
    if (was !== JSON.stringify(news.plan) || this.host !== news.host) this.#plan(news);
    this.host = news.host;
    this.begin?.toggleAttribute("disabled", news.hindrance !== "");
    this.#say(news.hindrance);
  }
  refused(why) {
    this.#say(why);
  }
  #say(why) {
    const { host, place, playing } = this.news;
    this.notice.textContent = why ? say(`why_${why}`) : host || (playing && place === null) ? "" : say(playing ? "nextMatch" : "hostBegins");
  }

  // Who plays alone says here what he is called.
  #alone({ places }) {
    this.name = node("input", "");
    this.name.type = "text";
    this.name.maxLength = 12;
    this.name.autocomplete = "off";
    this.name.value = places[0].name;
    this.places.before(row(say("yourName"), this.name));
    this.openly.textContent = say("waits");
    this.root.setAttribute("aria-label", say("otherGame"));
  }
  #places({ places, place, host, plan, alone }) {
    const items = places.map((each, index) => {
      if (each.name === null || alone) return null;
      const told = index === place ? say("you") : each.here ? "" : say("away");
      const item = node("li", each.here ? "guest" : "guest absent", node("b", "", each.name), " ", node("small", "", told));
      if (host && index !== place) {
        const free = button("freePlace", "small", () => confirm(say("freeing").replace("{name}", each.name)) && this.table.send({ do: "free", place: index }));
        free.setAttribute("aria-label", `${say("freePlace")}: ${each.name}`);
        item.append(" ", free);
      }
      return item;
    });
    const bots = plan.bots.map((kind) => node("li", "bot", `${say("bot")} `, node("small", "", say(kind))));
    this.places.replaceChildren(...items.filter(Boolean), ...bots);
    this.codes.replaceChildren(...places.filter((each) => each.link).map(this.#invitation));
  }
  #invitation({ link, code }) {
    const picture = node("img", "");
    picture.src = code;
    picture.alt = say("code");
    const here = node("a", "", say("sitHere"));
    here.href = link;
    here.target = "_blank";
    here.rel = "noopener noreferrer";
    return node("li", "", picture, here);
  }

  #plan({ host, plan }) {
    const game = this.games.find((each) => each.game === plan.game);
    const told = node("p", "sentence", game.sentence);
    if (!host) {
      this.plan.replaceChildren(node("h2", "", say("nextGame")), node("p", "", node("b", "", game.title)), told);
      return;
    }
    const choose = (change) => this.table.send({ do: "choose", plan: { ...this.news.plan, ...change } });
    const select = node("select", "", ...this.games.map(({ game: name, title }) => {
      const made = node("option", "", title);
      made.value = name;
      return made;
    }));
    select.value = plan.game;
    select.addEventListener("change", () => choose({ game: select.value, options: {} }));
    const options = game.options.map((option) => row(option.sentence, this.#option(option, plan, choose)));
    const bots = node("div", "bots", ...plan.bots.map((kind, index) => {
      const kinds = node("select", "", ...KINDS.map((each) => {
        const made = node("option", "", `${say(each)} (${RATINGS[each]})`);
        made.value = each;
        return made;
      }));
      kinds.value = kind;
      kinds.setAttribute("aria-label", `${say("bot")} ${index + 1}`);
      kinds.addEventListener("change", () => choose({ bots: this.news.plan.bots.with(index, kinds.value) }));
      const away = button("lessBots", "small", () => choose({ bots: this.news.plan.bots.toSpliced(index, 1) }));
      return node("span", "one", kinds, away);
    }), button("moreBots", "", () => choose({ bots: [...this.news.plan.bots, KINDS[this.news.plan.bots.length % 4]] })));
    this.begin = button("begin", "again", () => {
      const { playing, alone } = this.news;
      if (alone) this.table.send({ do: "begin", name: this.name.value });
      else if (!playing || confirm(say("breakOff"))) this.table.send({ do: "begin" });
    });
    const controls = () => [...this.plan.querySelectorAll("select, input, button")];
    const focused = controls().indexOf(document.activeElement);
    this.plan.replaceChildren(node("h2", "", say("nextGame")), row(say("game"), select), told, ...options, bots, this.begin);
    controls()[focused]?.focus();
  }
  #option({ name, default: usual, choices, least, greatest }, plan, choose) {
    const value = plan.options[name] ?? usual;
    const set = (chosen) => choose({ options: { ...this.news.plan.options, [name]: chosen } });
    if (typeof usual === "boolean") {
      const box = node("input", "");
      box.type = "checkbox";
      box.checked = value;
      box.addEventListener("change", () => set(box.checked));
      return box;
    }
    if (choices) {
      const select = node("select", "", ...choices.map((each) => {
        const made = node("option", "", say(`option_${each}`));
        made.value = each;
        return made;
      }));
      select.value = value;
      select.addEventListener("change", () => set(select.value));
      return select;
    }
    const number = node("input", "");
    number.type = "number";
    number.inputMode = "numeric";
    number.min = least;
    if (greatest !== null) number.max = greatest;
    number.value = value;
    number.addEventListener("change", () => number.value && number.checkValidity() && set(Number(number.value)));
    return number;
  }

  #tally({ tally }) {
    if (!tally.length) return;
    const body = node("tbody", "", ...[...tally].sort((one, other) => one.lost - other.lost).map(({ name, played, lost }) => {
      const head = node("th", "", name);
      head.scope = "row";
      return node("tr", "", head, node("td", "", String(played)), node("td", "", String(lost)));
    }));
    const columns = ["", "played", "lost"].map((word) => node("th", "", word && say(word)));
    this.tally.replaceChildren(node("h2", "", say("evening")), node("table", "", node("thead", "", node("tr", "", ...columns)), body));
  }
}

// Over plain http a phone cannot be shaken itself: the way to where it can, if there is one.
export function secureLink(secure) {
  if (!secure || location.protocol === "https:") return [];
  const link = node("a", "secure", say("shakeIt"));
  link.href = "/trust";
  return [link];
}
