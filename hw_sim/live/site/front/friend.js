// To invite a friend, or to come by a friend's link: what is chosen first, who has come, and then the handheld.
import { BROKERS } from "./brokers.js";
import { GAMES, HOUSE_RULES } from "./games.js";
import { refusal, watchName } from "./guest.js";
import { at, begin, isOtherRelease, keepRoom, keptOf, lineTrouble, linkOf, newRoom, now, refusalOf, roomOf } from "./line.js";
import { button, choices, copied, field, find, having, labelled, link as linkTo, node, optionField, status } from "./nodes.js";
import { brokerFields, isAllowed, othersThan } from "./room_link.js";
import { language, say } from "./words.js";
import "./seat.js";

const NAME = "maexchen.name", USUAL = "maxen", FEWEST = 2, MOST = 9;
const panel = find("friend"), games = GAMES[language];
document.title = say("friend_title");
const told = status("p", "why");
let link = roomOf(location.hash.slice(1)), kept = link ? keptOf(link) : null;

function form(title, intro, go, submit, ...inside) {
  const send = node("button", "again", go), value = kept?.name ?? localStorage.getItem(NAME) ?? "";
  const name = field({ type: "text", autocomplete: "nickname", required: true, value, enterKeyHint: "go", spellcheck: false });
  const made = node("form", "plan sheet", node("h2", "", title), node("p", "", intro), labelled(say("yourName"), name), ...inside, node("div", "foot", told, send));
  watchName(name);
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    told.textContent = "";
    localStorage.setItem(NAME, name.value);
    await submit(name.value);
    send.disabled = false;
  });
  return made;
}

// ---- who invites ----
const plan = { game: USUAL, options: {}, players: FEWEST };
function chooseGame() {
  const fits = ({ fewest_players: fewest, most_players: most }) => fewest <= plan.players && plan.players <= most;
  if (!fits(games.find(({ game }) => game === plan.game))) Object.assign(plan, { game: USUAL, options: {} });
  const tiles = choices("tiles", say("game"), ...games.map((each) => {
    const { game, title, fewest_players: fewest, most_players: most } = each;
    return [fits(each) ? title : [title, node("small", "", say("friend_players", { fewest, most }))], game === plan.game, () => { Object.assign(plan, { game, options: {} }); draw(); }];
  }));
  games.forEach((each, place) => { tiles.children[place].disabled = !fits(each); });
  const { options } = games.find(({ game }) => game === plan.game);
  tellRules();
  const rules = node("details", "", node("summary", "", say("rules")), ...options.map(option));
  rules.open = isOpen;
  rules.addEventListener("toggle", () => { isOpen = rules.open; });
  return [tiles, agreed, ...(options.length ? [rules] : [])];
}
let isOpen = false;
// What is played: the sentence of a known game, or what differs from the nearest one, as in a lobby.
const agreed = node("div", ""), optionsOf = ({ options }) => options.map(({ name }) => name).join();
function rulesOf({ game, options: chosen }) {
  const { options } = games.find((each) => each.game === game);
  const value = Object.fromEntries(options.map(({ name, default: usual }) => [name, chosen[name] ?? usual]));
  const known = games.filter((each) => optionsOf(each) === optionsOf({ options })).map((each) => [each, each.options.filter((option) => option.default !== value[option.name])]);
  const [[usual]] = known, [[nearest, changed]] = known.sort(([, one], [, other]) => one.length - other.length);
  const lines = changed.map(({ name, short, choices: values, labels }) => short.replace("{name}", values ? labels[values.indexOf(value[name])] : value[name]));
  if (!lines.length) return [node("p", "sentence", nearest.sentence)];
  if (nearest !== usual) lines.unshift(nearest.title); // a preset
  return [node("p", "sentence", HOUSE_RULES[language]), node("ul", "differences", ...lines.map((line) => node("li", "", line)))];
}
const tellRules = () => agreed.replaceChildren(...rulesOf(plan));
function option(each) {
  const set = (chosen) => {
    plan.options[each.name] = chosen;
    if (each.choices) draw();
    else tellRules(); // the number is typed on
  };
  return optionField(each, plan.options[each.name], set, "input");
}
const { fields: brokers, broker: chosenBroker } = brokerFields({ address: "friend_address", other: "friend_other", broker: "friend_broker" });
// The broker that was chosen, or else the next one of the list that lets this page in; null for none, which is told.
async function reachable(chosen) {
  let first = null;
  for (const broker of [chosen, ...othersThan(chosen)]) {
    const why = await refusalOf(broker);
    if (why === "") return broker;
    first ??= why && say("friend_refuses", { broker, why });
  }
  told.textContent = first ?? say("friend_none", { broker: chosen });
  return null;
}
async function invite(name) {
  const chosen = chosenBroker();
  if (!isAllowed(chosen)) {
    told.textContent = say("friend_notAllowed", { list: BROKERS.join(", ") });
    return;
  }
  told.textContent = say("friend_looks");
  const broker = await reachable(chosen);
  if (broker === null) return;
  link = newRoom(broker, othersThan(broker));
  kept = { name, invites: { game: plan.game, options: plan.options, players: plan.players } };
  history.replaceState(null, "", linkOf(link));
  enter();
}
const sheet = node("div", "plan"), draw = () => sheet.replaceChildren(...chooseGame());
function askWhat() {
  if (!BROKERS.length) {
    panel.replaceChildren(node("div", "plan sheet", node("h2", "", say("friend_invite")), node("p", "", say("friend_noBrokers")), told));
    return;
  }
  const many = node("select", "", ...Array.from({ length: MOST - FEWEST + 1 }, (_, more) => new Option(String(FEWEST + more))));
  many.addEventListener("change", () => {
    plan.players = Number(many.value);
    draw();
  });
  draw();
  panel.replaceChildren(form(say("friend_invite"), say("friend_told"), say("friend_makeLink"), invite, labelled(say("friend_howMany"), many), sheet, ...brokers, node("p", "openly", say("friend_promise"))));
}

// ---- who comes ----
function askName(why = "") {
  view = "name";
  panel.replaceChildren(form(say(kept?.invites ? "friend_invite" : "friend_invited"), say("friend_comeTold", { broker: new URL(link.broker).host }), say("friend_come"), async (name) => {
    kept = { ...kept, name };
    enter();
  }));
  told.textContent = why;
}

// ---- in the room ----
let view = "", sign = null;
function enter() {
  view = "room";
  keepRoom(link, kept);
  sign = { title: node("h2", "", say(kept.invites ? "friend_sendLink" : "friend_waiting")), people: node("ul", "places"), waits: node("p", "") };
  panel.replaceChildren(node("div", "plan sheet", sign.title, ...(kept.invites ? [...rulesOf(kept.invites), ...linkBox()] : []), sign.people, sign.waits, told));
  find("friend-link").replaceChildren(...(kept.invites ? linkBox() : []));
  begin(link, kept);
  stand();
}
function linkBox() {
  const address = linkOf(link), said = status("span", "copied");
  const shown = having(field({ type: "text", readOnly: true, value: address }, "link"), { "aria-label": say("friend_link") });
  shown.addEventListener("focus", () => shown.select());
  const copy = button("again", async () => {
    if (await copied(address)) said.textContent = say("friend_copied");
    else shown.select(); // whoever wants it copies it by hand
  }, say("copyLink"));
  const share = button("", () => navigator.share({ title: say("friend_title"), text: say("friend_shareText"), url: address }).catch(() => {}), say("friend_share"));
  return [shown, node("div", "row", copy, ...(navigator.share ? [share] : [])), said];
}
// Who is there, who is waited for, and what is wrong.
function stand() {
  if (view !== "room") return;
  const { names = [], players = 0, why = "" } = now.room ?? {}, refused = now.why || why;
  if (refused && !["full", "plan"].includes(refused)) { // the name
    now.why = "";
    now.room = null;
    askName(refusal(refused, kept.name));
    return;
  }
  document.body.classList.toggle("plays", now.plays || now.left);
  if (now.plays) find("name").textContent = kept.name;
  if (now.left) {
    view = "";
    find("friend-link").replaceChildren();
    find("lobby").replaceChildren(node("section", "lobby", linkTo(say("friend_invite"), at("friend"), "again"), linkTo(say("watch"), at(""))));
    return;
  }
  const missing = (kept.invites?.players ?? players) - names.length;
  sign.people.replaceChildren(...names.map((name) => node("li", "guest", name)));
  sign.waits.textContent = refused || !now.awake ? "" : missing > 0 && names.length ? say(missing > 1 ? "friend_missing" : "friend_missing_1", { n: missing }) : names.length ? say("friend_begins") : kept.invites ? "" : say("friend_nobody");
  told.textContent = lineTrouble() || (refused === "full" ? say("friend_full") : refused ? say("why_plan") : "") || (isOtherRelease(link) ? say("friend_release") : "");
}
addEventListener("maexchen:friends", stand);

if (link && kept) enter();
else if (link) askName();
else {
  askWhat();
  if (link === null) told.textContent = say("friend_short");
}
