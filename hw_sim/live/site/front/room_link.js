// The link to an evening: its room, the key of its host, and its brokers, behind the # that no server is sent.
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
