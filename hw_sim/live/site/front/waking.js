// Before the table is there: a handheld that wakes up, how far it is, and what went wrong in a line.
import { button, node } from "./nodes.js";
import { dress, say } from "./words.js";

const room = document.getElementById("waking"), bar = room.querySelector("progress"), told = room.querySelector("p");
const notices = document.getElementById("told-by-site");
const SILENT_MS = 20_000; // then a line says what may help
let due = null, ends = null;

// A line that stays until it is read; ``word`` is that of a button, ``done`` what it does. ``more`` has others.
function notice(text, word = "close", done = () => {}, ...more) {
  const line = node("p", "", text), end = (act) => () => {
    line.remove();
    act();
  };
  for (const [label, act] of [[word, done], ...more]) line.append(" ", button("", end(act), say(label)));
  if (![...notices.children].some((each) => each.textContent === line.textContent)) notices.append(line);
}

function wake(share) {
  clearTimeout(due);
  due = setTimeout(() => {
    told.textContent = self.tellWrong?.() ? "" : say("site_silent"); // Python is silent about a half of itself
    self.mend?.({ checks: true });
  }, SILENT_MS);
  told.textContent = say("wakingUp");
  bar.value = share;
  bar.hidden = room.hidden = false;
}
const stop = button("", () => ends(), say("site_stop"));
stop.hidden = true;
room.append(stop);
dress("", room);
wake(0);
export const waking = {
  at: wake,
  over() {
    clearTimeout(due);
    self.isWell?.();
    room.hidden = stop.hidden = true;
  },
  // A file is played again or judged: how far that is, if it is known; ``end`` stops it.
  works(share, end) {
    clearTimeout(due);
    told.textContent = say("site_works");
    if (share === null) bar.removeAttribute("value");
    else bar.value = share;
    bar.hidden = room.hidden = stop.hidden = false;
    ends = end;
  },
  // Says why there is no table, or what is wrong with the one that is there.
  async failed(why, detail = "") {
    let text = [say(why), detail].filter(Boolean).join(" ");
    if (why === "site_notLoaded" && !room.hidden) {
      await self.mend?.();
      if (self.tellWrong?.()) text = "";
    }
    if (room.hidden) notice(text);
    else {
      clearTimeout(due);
      bar.hidden = true;
      told.textContent = text;
    }
  },
  told(why, detail) { notice([say(why), detail].filter(Boolean).join(" ")); },
  notice,
  release(name) { room.dataset.release = document.querySelector("h1").title = name; },
};
