// Before the table is there: a handheld that wakes up, how far it is, and what went wrong in a line.
import { node } from "./nodes.js";
import { dress, say } from "./words.js";

const room = document.getElementById("waking"), bar = room.querySelector("progress"), told = room.querySelector("p");
const notices = document.getElementById("told-by-site");

// A line that stays until it is read; ``done``: the word of a button, and what it does.
function notice(text, word = "close", done = () => {}) {
  const button = node("button", "", say(word)), line = node("p", "", text, " ", button);
  button.type = "button";
  button.addEventListener("click", () => {
    line.remove();
    done();
  });
  if (![...notices.children].some((each) => each.textContent === line.textContent)) notices.append(line);
}

dress(room);
told.textContent = say("wakingUp");
export const waking = {
  at(share) { bar.value = Math.max(bar.value, share); },
  over() { room.hidden = true; },
  // Says why there is no table, or what is wrong with the one that is there.
  failed(why, detail = "") {
    const text = [say(why), detail].filter(Boolean).join(" ");
    if (room.hidden) notice(text);
    else {
      bar.hidden = true;
      told.textContent = text;
    }
  },
  told(why, detail) { notice([say(why), detail].filter(Boolean).join(" ")); },
  notice,
  release(name) { room.dataset.release = document.querySelector("h1").title = name; },
};
