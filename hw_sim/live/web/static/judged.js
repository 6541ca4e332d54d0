// The match, judged: for who played it alone, once it is over.
import { dress, language, say } from "./words.js";
import { askFor } from "./files.js";
import { node } from "./nodes.js";

const LONG_MS = 5_000;
const cells = (kind, texts) => texts.map((text) => node(kind, "", text));
const row = (kind, texts) => node("tr", "", ...cells(kind, texts));
const table = ([head, rows], name) => {
  const made = node("div", "scroll", node("table", "", node("thead", "", row("th", head)), node("tbody", "", ...rows.map((each) => row("td", each)))));
  made.tabIndex = 0;
  made.setAttribute("role", "region");
  made.setAttribute("aria-label", say(name));
  return made;
};
const place = document.getElementById("judged"), notice = document.getElementById("notice");
dress();
document.title = say("judgedTitle");

const patience = setTimeout(() => { notice.textContent = say("reckonsLong"); }, LONG_MS);
const match = new URLSearchParams(location.hash.slice(1)).get("match"); // one that was over before; else the last one
const answer = await askFor(`/judged.json?language=${language}${match === null ? "" : `&match=${encodeURIComponent(match)}`}`);
clearTimeout(patience);
document.getElementById("reckoning").remove();
if (answer.status === 400) notice.textContent = await answer.text();
else if (!answer.ok) notice.textContent = say(answer.status === 404 ? "notOver" : "refused");
else {
  const { accounts, legend, unit, moments, decisions, model, curve, dearest, why_not: whyNot } = await answer.json();
  if (whyNot) notice.textContent = whyNot;
  else {
    const picture = node("img", "evening-picture"), train = node("a", "", say("train"));
    picture.src = `data:image/svg+xml,${encodeURIComponent(curve)}`;
    picture.alt = say("judgedTitle");
    train.href = "/train";
    place.replaceChildren(
      ...(curve ? [picture] : []), node("ul", "", ...cells("li", dearest)), node("p", "", train),
      table(accounts, "accounts"), node("p", "", unit, " ", legend.join(" ")), node("ul", "", ...cells("li", moments)),
      node("details", "", node("summary", "", say("decisions")), table(decisions, "decisions")), node("p", "", model),
    );
  }
}
