// The report of an evening: after matches with the same people, for all at the table.
import { dress, language, say } from "./words.js";
import { at } from "./line.js";
import { askFor, save } from "./files.js";
import { button, link, node, scrolled } from "./nodes.js";

dress();
document.title = say("evening");
const notice = document.getElementById("notice");
const table = ([head, rows], title) => scrolled([head, rows], `${title}: ${head[0]}`); // each has a name of its own
// Each match that is over: its record as a file and, for who played it alone, its judgement.
function kept({ matches, judges }) {
  const one = ([number, game, players]) => {
    const file = button("", async () => save(await (await askFor(`/match.jsonl?match=${number}`)).blob(), `match${number}.jsonl`), say("matchFile"));
    return node("li", "", node("span", "", `${game}: ${players.join(", ")}`), file, ...(judges ? [link(say("judgedTitle"), `${at("judged")}#match=${number}`)] : []));
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
