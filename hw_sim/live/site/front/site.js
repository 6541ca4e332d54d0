// What the site adds to each page: it is kept for use without a network, and links and files lead to a table.
import { ask, at, show } from "./line.js";
import { language, say } from "./words.js";
import { eveningOf, hostButtons, linkOf } from "./room_link.js";
import { waking } from "./waking.js";
import { button, copied, field, having, link, node } from "./nodes.js";

// A button that copies the link of the present table.
const place = document.querySelector("nav");
const copy = button("", async () => {
  const told = await (await ask("/link")).text(), link = /^https?:/.test(told) ? new URL(told) : new URL("./", location.href);
  if (!link.hash) link.hash = `${told}&lang=${language}`;
  waking.notice(await copied(link.href) ? say("linkCopied") : link.href);
}, say("copyLink"));
// A record or a session, dropped or chosen, is judged; a session is played again on the bench, too.
const MOST_BYTES = 4_000_000, JUDGED = ["judged", "dropped"], REPLAYED = ["bench", "session"];
const refuse = (error) => waking.notice(String(error.message ?? error));
async function lead(file) {
  if (file.size > MOST_BYTES) return waking.notice(say("site_tooLong"));
  const text = await file.text(), answer = await ask("/opened", { body: text }), told = await answer.text();
  if (!answer.ok) waking.notice(told);
  else if (told === "record") show(text, JUDGED);
  else waking.notice(say("openedSession"), "replayed", () => show(text, REPLAYED), ["judged", () => show(text, JUDGED)]);
}
document.body.classList.toggle("replays", location.hash === `#${REPLAYED[1]}`);
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file) lead(file).catch(refuse);
});
const chosen = field({ type: "file", accept: ".jsonl", hidden: true }), open = button("", () => chosen.click(), say("openRecord"));
chosen.addEventListener("change", () => {
  lead(chosen.files[0]).catch(refuse);
  chosen.value = ""; // the same file may be chosen again
});
const handheld = link(say("asHandheld"), at("seat")), tasks = link(say("tasks"), at("tasks")), friend = link(say("friend_invite"), at("friend"));
// A link to an evening that somebody hosts, as it was sent, leads to its page for guests.
const pasted = having(field({ type: "text", spellcheck: false, required: true, placeholder: say("line_paste") }), { "aria-label": say("line_paste") });
const joins = node("form", "joins", node("label", "", node("span", "", say("line_paste")), " ", pasted), " ", node("button", "", say("line_join")));
joins.addEventListener("submit", (event) => {
  event.preventDefault();
  const evening = eveningOf(pasted.value.trim().split("#")[1]);
  if (evening) location.assign(`join.html${linkOf(evening)}`);
  else waking.notice(say("line_short"));
});
document.querySelector(".menu > div")?.append(joins);
if (document.body.classList.contains("table-page")) {
  place.prepend(...hostButtons(), joins);
  document.getElementById("rare").prepend(friend, copy, open, chosen);
  document.querySelector(".trains").append(" · ", tasks, " · ", handheld);
}
document.querySelector(".seat-page .menu > div")?.prepend(friend);

// A handheld inside another page: that page hears what happens, and may move the hand (maexchen-handheld.js).
const outside = (is, detail) => parent.postMessage({ from: "maexchen", is, detail }, "*");
const TOLD = {
  welcome: ({ seat, names, title }) => outside("ready", { seat, names, title }),
  says: ({ text }) => outside("display", { text }),
  asked: ({ asked: { says, occasion, ways, dial } }) => outside("prompt", { says, occasion, ways, dial }),
  heard: ({ lines }) => outside("heard", { lines }),
  verdict: ({ moment }) => outside("verdict", moment),
  state: ({ over }) => { if (over !== undefined) outside("over", { over }); },
};
const DONE = new Set(["lift", "cover", "key", "turn"]);

if (parent !== window) {
  let seat = null;
  addEventListener("maexchen:news", ({ detail }) => {
    if (detail.is === "welcome") ({ seat } = detail);
    if (!("seat" in detail) || detail.seat === seat) TOLD[detail.is]?.(detail);
  });
  addEventListener("message", ({ source, data }) => {
    if (source === parent && data?.to === "maexchen" && DONE.has(data.what?.do)) dispatchEvent(new CustomEvent("maexchen:do", { detail: data.what }));
  });
}
