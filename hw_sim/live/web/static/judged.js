// The match, judged: for who played it alone, once it is over.
import { dress, language, say } from "./words.js";
import { askFor } from "./files.js";
import { link, node, scrolled } from "./nodes.js";

const LONG_MS = 5_000;
const items = (texts) => node("ul", "", ...texts.map((text) => node("li", "", text)));
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
    const picture = node("img", "evening-picture");
    picture.src = `data:image/svg+xml,${encodeURIComponent(curve)}`;
    picture.alt = say("judgedTitle");
    place.replaceChildren(
      ...(curve ? [picture] : []), items(dearest), node("p", "", link(say("train"), "/train")),
      scrolled(accounts, say("accounts")), node("p", "", unit, " ", legend.join(" ")), items(moments),
      node("details", "", node("summary", "", say("decisions")), scrolled(decisions, say("decisions"))), node("p", "", model),
    );
  }
}
