// A page that only watches says so, and how to play.
import { say } from "./words.js";
import { at } from "./line.js";
import { link, node } from "./nodes.js";

export const WATCH = "?watch"; // the table, for those who have a seat and want to see it

// The seat that a page of this browser has shown at a table of several on this device; null for none.
function seatOf(claimed) {
  const seat = claimed.indexOf(true);
  return seat < 0 ? null : at(`seat/${seat}`);
}

// Leads a player who has a seat elsewhere there, unless he wants to see the table; returns whether it does.
export function ledToSeat(claimed) {
  const address = claimed.length > 1 ? seatOf(claimed) : null;
  if (address === null || new URL(location.href).searchParams.has("watch")) return false;
  location.replace(address);
  return true;
}

// What a page says that only watches. ``seat``: that of a lone player, else null;
// ``host``: whether it is the host's page of a party, undefined until the table has said so.
export function watching(room, { table, host, phones, seat }) {
  room.hidden = table.seat !== null || (phones && host !== false);
  if (room.hidden) return;
  const { claimed } = table, told = [say("watching")], ways = [];
  const own = phones || seat !== null ? null : seatOf(claimed);
  if (own) ways.push(link(say("toSeat"), own, "again"));
  else if (phones) told.push(say("scanToPlay"));
  else {
    told.push(say(claimed.every(Boolean) ? "allTaken" : "chooseSeat"));
    if (!claimed.some(Boolean)) ways.push(link(say("passAround"), at("seat/0?pass"), "again"));
  }
  const text = told.join(" ");
  if (room.textContent !== [text, ...ways.map((each) => each.textContent)].join("")) room.replaceChildren(node("p", "", text), ...ways);
}
