// How a phone comes to trust the computer that sends this site, so that its pages may feel how it is shaken.
import { partyHere } from "./channel.js";
import { dress, say } from "./words.js";

const EVENING = "maexchen.evening"; // where the link of a guest is kept

// The kept link at an address over TLS; a broker of this very server is reached there, too.
function linkAt(there) {
  const parts = new URLSearchParams(localStorage.getItem(EVENING) ?? "");
  if (!parts.has("broker")) return there;
  const broker = new URL(parts.get("broker"), location.href);
  if (broker.host === location.host) parts.set("broker", `wss://${there.host}${broker.pathname}${broker.search}`);
  const join = new URL("join.html", there);
  join.hash = parts;
  return join;
}

dress("title");
const secure = ((await partyHere())?.secure ?? []).map((each) => new URL(each));
const there = secure.find(({ hostname }) => hostname === location.hostname) ?? secure[0];
document.getElementById("ways").hidden = !there;
document.getElementById("go").onclick = () => location.assign(linkAt(there));
document.getElementById("notice").textContent = there ? "" : say("trustNone");
