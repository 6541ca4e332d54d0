// The trainer: a decision, its solution, and the wrong ones again. For who plays alone.
import { dress, say } from "./words.js";
import { answerTo, save } from "./files.js";
import { button, find, having, node, row } from "./nodes.js";
import { Ladder, scene } from "./guide.js";

const KEY = "maexchen.trains";
const of = find("of"), next = find("next"), weeks = find("weeks");
dress("train");

const asked = async (query) => (await answerTo("/train.json", query))?.json();
let ways = [];
const told = (count) => { find("waiting").textContent = count ? `${say("trainWaiting")} ${count}` : ""; };

// The table, and the ladder where values are said.
function drawTable(table, buttons) {
  const ladder = new Ladder(table.ladder, null);
  ladder.stands(table.standing.bid, table.names);
  ladder.holds(new Map(table.ladder.flatMap((value, place) => (buttons[place] ? [[value, buttons[place]]] : []))));
  find("scene").replaceChildren(scene(table, say("you")));
  find("ladder").replaceChildren(ladder.root);
}
async function pose() {
  const now = await asked({ game: of.value });
  if (!now) return;
  next.hidden = true;
  find("solution").replaceChildren();
  find("question").replaceChildren(...now.question.map((text) => node("p", "", text)));
  ways = now.ways.map(({ text }, place) => having(button("", () => solve(now.number, place), text), { "aria-label": text }));
  const said = now.table.ladder.map((value) => now.ways.findIndex((way) => way.value === value));
  drawTable(now.table, said.map((place) => ways[place]));
  find("ways").replaceChildren(...ways.filter((_, place) => !said.includes(place)));
  told(now.waiting);
}
async function solve(number, place) {
  for (const way of ways) way.disabled = true;
  const now = await asked({ number, choice: place });
  if (!now) return;
  ways[place].setAttribute("aria-pressed", "true");
  find("solution").replaceChildren(
    node("p", "", node("strong", "", now.verdict)), ...(now.reason ? [node("p", "", now.reason)] : []),
    node("table", "", node("tbody", "", ...now.choices.map(([way, worth]) => row("td", [way, worth])))),
    node("p", "", now.unit),
  );
  told(now.waiting);
  next.hidden = false;
  next.focus();
  if (weeks.open) tell();
}
async function tell() {
  const now = await asked({});
  if (now) weeks.querySelector("div").replaceChildren(node("table", "", ...now.weeks.map((each, place) => row(place ? "td" : "th", each))));
}

const { games } = await (await answerTo("/games")).json();
of.append(...games.map(({ game, title }) => new Option(title, game)));
const link = new URLSearchParams(location.hash.slice(1)), learns = link.get("learn") ?? localStorage.getItem(KEY);
if (games.some(({ game }) => game === learns)) of.value = learns;
of.addEventListener("change", () => {
  localStorage.setItem(KEY, of.value);
  pose();
});
next.addEventListener("click", pose);
weeks.addEventListener("toggle", () => weeks.open && tell());
find("add").addEventListener("click", async () => {
  const now = await asked({ add: 1 });
  if (now) told(now.waiting);
});
find("export").addEventListener("click", async () => {
  const answer = await answerTo("/train.csv");
  if (answer) save(await answer.blob(), "train.csv");
});
if (link.has("learn")) await asked({ add: 1, ...(link.has("match") && { match: link.get("match") }) });
pose();
