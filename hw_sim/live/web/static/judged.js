// The match, judged: for who played it alone, once it is over.
import { dress, say } from "./words.js";
import { answerTo } from "./files.js";
import { at } from "./line.js";
import { find, link, node, picture, scrolled } from "./nodes.js";
import { scene } from "./guide.js";

const LONG_MS = 5_000;
const notice = find("notice");
dress("judgedTitle");

// A decision that cost much: the table before it, and the better way. ``me``: what is said beside who decided.
const card = ({ head, better, table }, me) => node("section", "dear", node("h2", "", head), scene(table, me), node("p", "", better));
const patience = setTimeout(() => { notice.textContent = say("reckonsLong"); }, LONG_MS);
const match = new URLSearchParams(location.hash.slice(1)).get("match"); // one that was over before; else the last one
const of = match === null ? {} : { match }, answer = await answerTo("/judged.json", of, "notOver");
clearTimeout(patience);
find("reckoning").remove();
if (answer) {
  const { curve, played, means, dearest, learns, moments, accounts, decisions, notes, why_not: whyNot } = await answer.json();
  if (whyNot) notice.textContent = whyNot;
  else {
    find("judged").replaceChildren(
      ...(curve ? [picture(curve, say("judgedTitle")), node("p", "", means[0])] : []), scrolled(played, say("accounts")), node("p", "", means[1]),
      node("div", "dearest", ...dearest.map((each) => card(each, learns && say("you")))),
      node("p", "", learns ? link(say("learn"), `${at("train")}#${new URLSearchParams({ learn: learns, ...of })}`, "again") : link(say("train"), at("train"))),
      node("details", "", node("summary", "", say("decisions")), node("ul", "", ...moments.map((text) => node("li", "", text))), ...notes.map((text) => node("p", "", text)), scrolled(accounts, say("accounts")), scrolled(decisions, say("decisions"))),
    );
  }
}
