// The way into a party: by the code of the room, or an invitation of one's own.
import { dress, say } from "./words.js";
import { openDoor } from "./door.js";
import { backKey, guestKey, secretOf } from "./socket.js";

dress();
document.title = say("title");
const typed = decodeURIComponent(location.pathname).replace(/[^A-Za-z0-9]/g, "").toUpperCase(); // however it was typed
const code = typed === "JOIN" ? "" : typed;
const invitation = code || secretOf("maexchen.invitation", sessionStorage, 16);
const door = openDoor({
  code,
  letters: true,
  post: (address, body) => fetch(address, { method: "POST", body: JSON.stringify({ invitation: invitation ?? "", ...body }) }),
  enter({ secret, back }) {
    localStorage.setItem(guestKey, secret);
    localStorage.setItem(backKey, back.join(" "));
    sessionStorage.removeItem("maexchen.invitation");
    location.replace("/phone");
  },
});
if (localStorage.getItem(guestKey)) location.replace("/phone");
else door.look().catch(() => door.tell(say("gone")));
