// To host an evening: which broker joins the guests, and the way to the big screen. Nothing is dialled here.
import { BROKERS } from "./brokers.js";
import { button, field, having, labelled, node, status } from "./nodes.js";
import { brokersOf, isAllowed } from "./room_link.js";
import { say } from "./words.js";

const EVENING = "evening"; // the name of its table
const MOST = 3; // brokers in a link
export const named = BROKERS.filter((each) => !each.includes("*"));
// The brokers of this site that a table goes on at when its own is lost: none if that is not in the list.
export const othersThan = (broker) => (named.includes(broker) ? named.filter((each) => each !== broker).slice(0, MOST - 1) : []);

// Where one chooses a broker: of this site's list, or another one. ``words``: by what each field is called. Returns the fields, and broker().
export function brokerFields(words) {
  const typed = field({ type: "text", placeholder: "wss://…", spellcheck: false, inputMode: "url" }), other = labelled(say(words.address), typed);
  const list = node("select", "", ...named.map((each) => new Option(new URL(each).host, each)), new Option(say(words.other), ""));
  const choose = () => { other.hidden = list.value !== ""; };
  list.addEventListener("change", choose);
  choose();
  return { fields: [...(named.length ? [labelled(say(words.broker), list)] : []), other], broker: () => list.value || typed.value.trim() };
}

function screenAt(broker) {
  const there = new URL("screen.html", new URL(".", location.href));
  there.searchParams.set("table", EVENING);
  there.hash = new URLSearchParams(brokersOf({ broker, others: othersThan(broker) }));
  return there;
}

// A button that asks for the broker, then leads to the big screen; none where an evening is hosted.
export function hostButtons() {
  if (new URLSearchParams(location.search).get("table") === EVENING) return [];
  const dialog = node("dialog", "hosting"), close = () => dialog.close();
  const why = status("p", "why"), { fields, broker } = brokerFields({ address: "host_address", other: "host_other", broker: "host_broker" });
  const begin = button("again", () => {
    if (isAllowed(broker())) location.assign(screenAt(broker()));
    else why.textContent = say("host_notAllowed", { list: BROKERS.join(", ") });
  }, say("host_begin"));
  const ways = BROKERS.length ? [...fields, node("p", "", say("host_promise")), why, begin] : [node("p", "", say("host_none"))];
  dialog.append(node("h2", "", say("host_evening")), node("p", "", say("host_told")), ...ways, " ", button("", close, say("close")));
  document.body.append(having(dialog, { "aria-label": say("host_evening") }));
  return [button("", () => dialog.showModal(), say("host_evening"))];
}
