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
