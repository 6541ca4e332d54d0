// The link to an evening: its room, the key of its host, and its brokers, behind the # that no server is sent. And the choice of
// a broker, for whoever hosts one.
import { BROKERS } from "./brokers.js";
import { button, field, having, labelled, node, status } from "./nodes.js";
import { say } from "./words.js";

const LINK = "maexchen.evening", CODE = /^[ACFHJKLMRSTUWXYZ]{4}$/, KEY = /^[\w-]{43}$/;

export const isAddress = (broker) => /^wss?:\/\/[^/]/.test(broker) && URL.canParse?.(broker) !== false;
// The evening that a link leads to, or null if it was cut short; ``hash``: what stands behind the #.
export function eveningOf(hash) {
  const parts = new URLSearchParams(hash), [broker = "", ...others] = parts.getAll("broker");
  const room = (parts.get("room") ?? "").toUpperCase(), host = parts.get("key") ?? "";
  return CODE.test(room) && KEY.test(host) && isAddress(broker) ? { room, host, broker, others: others.filter(isAllowed) } : null;
}
// The key comes last: a link that was cut short at any length is known by it.
export const linkOf = ({ room, host, ...at }) => `#${new URLSearchParams([...brokersOf(at), ["room", room], ["key", host]])}`;
// The usual broker and the next ones, as a link has them.
export const brokersOf = ({ broker, others }) => [broker, ...others].map((each) => ["broker", each]);

// The evening of this page; one that is opened without a link, as from the home screen, has the last one.
export function thisEvening() {
  const found = location.hash.slice(1) || localStorage.getItem(LINK) || "", evening = eveningOf(found);
  if (evening) {
    localStorage.setItem(LINK, linkOf(evening).slice(1));
    history.replaceState(null, "", linkOf(evening)); // without a language, which may be another by now
  }
  return evening;
}

// Whether this is an address of a broker, and the policy of this page lets it speak to it (CSP 3, 6.7.2.8: a source with * for any host or port).
export function isAllowed(broker) {
  if (!isAddress(broker)) return false;
  const policy = document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.content ?? "";
  const sources = /connect-src ([^;]*)/.exec(policy)?.[1].split(" ") ?? ["*"];
  if (location.protocol === "https:" && !broker.startsWith("wss:")) return false;
  return sources.some((source) => {
    if (source === "'self'") return new URL(broker).host === location.host;
    if (source.endsWith(":")) return broker.startsWith(source); // any host
    const pattern = source.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^/]*");
    return new RegExp(`^${pattern}(/.*)?$`).test(broker);
  });
}

// To host an evening: which broker joins the guests, and the way to the big screen. Nothing is dialled here.
const EVENING = "evening"; // the name of its table
const MOST = 3; // brokers in a link
const named = BROKERS.filter((each) => !each.includes("*"));
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
