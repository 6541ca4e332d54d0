// A guest's phone at an evening that a tab hosts: the form of who is new, then the handheld, in one page with one worker.
import { openDoor } from "./door.js";
import { EVENING, ask, lineTrouble, whenOpen } from "./line.js";
import { backKey, guestKey } from "./socket.js";
import { dress, say } from "./words.js";

// What this phone alone has drawn for this evening: one whose answer was lost asks again, and has the same place.
function drawn() {
  const key = guestKey.replace("guest", "once");
  const once = localStorage.getItem(key) ?? btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  localStorage.setItem(key, once);
  return once;
}

async function sit() {
  const { body } = document, seat = document.getElementById("seat").content;
  for (const each of [...body.querySelectorAll("header, main")]) each.remove();
  body.className = "seat-page";
  body.prepend(seat);
  await import("./seat.js");
}

function knock() {
  dress("title");
  const door = openDoor({
    code: EVENING?.room ?? "",
    soon: say("line_soon"),
    post: (path, body) => ask(path, { body: JSON.stringify({ ...(path === "/return" ? {} : { once: drawn() }), ...body }) }),
    enter({ secret, back }) {
      localStorage.setItem(guestKey, secret);
      localStorage.setItem(backKey, back.join(" "));
      sat = true;
      sit();
    },
  });
  let sat = false;
  const tell = () => { if (!sat) door.tell(lineTrouble()); };
  addEventListener("maexchen:line", tell);
  whenOpen(() => { if (!sat) door.look().catch(() => {}); });
  if (EVENING === null) document.getElementById("form").classList.add("used");
  tell();
}

if (EVENING && localStorage.getItem(guestKey)) sit();
else knock();
