// The report of an evening: after matches with the same people, for all at the table.
import { dress, say } from "./words.js";
import { ask, at } from "./line.js";
import { answerTo, save } from "./files.js";
import { button, find, link, node, picture, scrolled } from "./nodes.js";

dress("evening");
const table = ([head, rows], title) => scrolled([head, rows], `${title}: ${head[0]}`); // each has a name of its own
// Each match that is over: its record as a file and, for who played it alone, its judgement.
function kept({ matches, judges }) {
  const one = ([number, game, players]) => {
    const file = button("", async () => save(await (await ask(`/match.jsonl?match=${number}`)).blob(), `match${number}.jsonl`), say("matchFile"));
    return node("li", "", node("span", "", `${game}: ${players.join(", ")}`), file, ...(judges ? [link(say("judgedTitle"), `${at("judged")}#match=${number}`)] : []));
  };
  return node("section", "kept", node("h2", "", say("keptMatches")), node("ul", "", ...matches.map(one)));
}

const answer = await answerTo("/evening.json", {}, "noEvening");
if (answer) {
  const [title, sentences, players, values, legend, curves] = await answer.json();
  find("evening").replaceChildren(
    node("h2", "", title), node("ul", "", ...sentences.map((text) => node("li", "", text))), table(players, title),
    ...(values[1].length ? [picture(curves, title), table(values, title)] : []), node("p", "", legend),
    kept(await (await answerTo("/matches.json")).json()),
  );
}
