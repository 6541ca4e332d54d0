// Tasks as links, each to a table with a set-up of its own: the usual ten, or those that stand in the address.
// tasks.html#title=Monday&task=Catch a liar.&link=game=class&seed=4 with each part encoded, a task before its link.
import { dress, language, say } from "./words.js";
import { button, copied, find, having, link as linkTo, node } from "./nodes.js";

const USUAL = [
  "game=class&bots=honest,honest&seed=1",
  "game=class&bots=cheeky,cheeky&seed=2",
  "game=class&bots=trusting,trusting&seed=3",
  "game=class&bots=expert,expert&seed=4",
  "game=physicist&bots=skilled&seed=5",
  "game=holy-family&bots=skilled&seed=6",
  "game=maxen&bots=skilled,skilled&seed=7",
  "game=maxen&bots=shark,random&seed=8",
  "game=chicago&bots=skilled,skilled&seed=9",
  "game=sevens&bots=skilled&rounds=3&seed=10",
];
const MOST = 30; // tasks of a page
dress("");

// What stands behind the # of a link; an empty text if it is no link of a table.
function setupOf(link) {
  const parts = new URLSearchParams(link.slice(link.indexOf("#") + 1));
  parts.delete("lang");
  return [...parts.keys()].some((name) => ["game", "players", "bots", "seed"].includes(name)) ? parts.toString() : "";
}
const given = new URLSearchParams(location.hash.slice(1)), links = given.getAll("link").map(setupOf);
const own = given.getAll("task").map((text, place) => ({ text, link: links[place] })).filter(({ link }) => link).slice(0, MOST);
let title = given.get("title") ?? "";

function show() {
  const tasks = own.length ? own : USUAL.map((link, place) => ({ text: say(`task${place + 1}`), link }));
  find("title").textContent = document.title = title || say("tasksTitle");
  find("tasks").replaceChildren(...tasks.map(({ text, link }, place) => {
    const play = having(linkTo(say("taskPlay"), `./#${link}&lang=${language}`, "again"), { "aria-label": `${say("taskPlay")}: ${text}` });
    const row = node("li", "", node("span", "", text), play);
    const remove = () => { own.splice(place, 1); keep(); };
    if (own.length) row.append(having(button("", remove, "✕"), { "aria-label": say("taskRemove", { task: text }) }));
    return row;
  }));
}
// The tasks stand in the address of the page.
function keep() {
  const parts = new URLSearchParams();
  if (title) parts.set("title", title);
  for (const { text, link } of own) {
    parts.append("task", text);
    parts.append("link", link);
  }
  history.replaceState(null, "", `#${parts}`);
  show();
}
find("name").value = title;
find("name").addEventListener("input", ({ target }) => { title = target.value.trim(); keep(); });
find("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const link = setupOf(find("link").value.trim());
  find("notice").textContent = link ? "" : say("taskNoLink");
  if (!link || own.length === MOST) return;
  own.push({ text: find("text").value.trim(), link });
  find("text").value = find("link").value = "";
  keep();
});
find("copy").addEventListener("click", async () => {
  find("notice").textContent = await copied(location.href) ? say("taskCopied") : location.href;
});
show();
