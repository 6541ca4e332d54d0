// The report of an evening: after matches with the same people, for all at the table.
import { dress, language, say } from "./words.js";
import { at } from "./line.js";
import { askFor, save } from "./files.js";
import { node } from "./nodes.js";

dress();
document.title = say("evening");
const notice = document.getElementById("notice");
const row = (kind, texts) => node("tr", "", ...texts.map((text) => node(kind, "", text)));
const table = ([head, rows], title) => {
  const made = node("div", "scroll", node("table", "", node("thead", "", row("th", head)), node("tbody", "", ...rows.map((each) => row("td", each)))));
  made.tabIndex = 0;
  made.setAttribute("role", "region");
  made.setAttribute("aria-label", `${title}: ${head[0]}`); // each table of a page has a name of its own
  return made;
};
// Each match that is over: its record as a file and, for who played it alone, its judgement.
function kept({ matches, judges }) {
  const one = ([number, game, players]) => {
    const file = node("button", "", say("matchFile")), judged = node("a", "", say("judgedTitle"));
    file.type = "button";
    file.addEventListener("click", async () => save(await (await askFor(`/match.jsonl?match=${number}`)).blob(), `match${number}.jsonl`));
    judged.href = `${at("judged")}#match=${number}`;
    return node("li", "", node("span", "", `${game}: ${players.join(", ")}`), file, ...(judges ? [judged] : []));
  };
  return node("section", "kept", node("h2", "", say("keptMatches")), node("ul", "", ...matches.map(one)));
}

const answer = await askFor(`/evening.json?language=${language}`);
if (!answer.ok) notice.textContent = say(answer.status === 404 ? "noEvening" : "refused");
else {
  const [title, sentences, players, values, legend, picture] = await answer.json();
  const image = node("img", "evening-picture");
  image.src = `data:image/svg+xml,${encodeURIComponent(picture)}`;
  image.alt = title;
  document.getElementById("evening").replaceChildren(
    node("h2", "", title), node("ul", "", ...sentences.map((text) => node("li", "", text))), table(players, title),
    ...(values[1].length ? [image, table(values, title)] : []), node("p", "", legend),
    kept(await (await askFor(`/matches.json?language=${language}`)).json()),
  );
}
