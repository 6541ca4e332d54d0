// What the pages and the table of one site agree on: the name of their channel, which no other site has.
// ``table``: which of the site's tables; the usual one has no name.
export const channelOf = (table) => `maexchen ${new URL("..", import.meta.url).pathname}${table && ` ${table}`}`;
// A page beside this one, by its name, or by what stands behind this one's name.
export const pageAt = (page) => new URL(page.startsWith("?") || !page ? `./${page}` : `${page.split("/")[0]}.html`, new URL(".", location.href));
export const STORED_MS = 1_000; // a table is kept this often

// The server of this network that sends this site, where one does: the addresses that phones reach, and its door.
const at = (name) => new URL(`../${name}`, import.meta.url);

// Its addresses, or null where the site is sent by another kind of server.
export async function partyHere() {
  const answer = await fetch(at("party.json"), { cache: "no-store" }).catch(() => null);
  return answer?.ok ? answer.json() : null;
}
// From now on the code of an evening leads to its link; only a page on the server's own machine may say so.
export async function openDoor(code, link) {
  await fetch(at("door"), { method: "POST", body: JSON.stringify({ code, link }) }).catch(() => {});
}
