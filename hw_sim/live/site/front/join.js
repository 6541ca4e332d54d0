// A guest's phone at an evening that a tab hosts, in one page with one worker. Who is new says a name, takes a face and is
// given a place, or takes their place back with another phone. Then the handheld is there.
import { DRAWN, faceSvg } from "./faces.js";
import { drawnFace, refusal, watchName } from "./guest.js";
import { EVENING, ask, lineTrouble, whenOpen } from "./line.js";
import { button, drawing, find, having, node } from "./nodes.js";
import { backKey, guestKey } from "./socket.js";
import { dress, say } from "./words.js";

const NAME = "maexchen.name", FACE = "maexchen.face";
const LOST = 503, AGAIN_MS = 10_000; // so often a guest without a place asks whether one is free

// What this phone alone has drawn for this evening: one whose answer was lost asks again, and has the same place.
function drawnOnce() {
  const key = guestKey.replace("guest", "once");
  const once = localStorage.getItem(key) ?? btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  localStorage.setItem(key, once);
  return once;
}
const post = (path, body) => ask(path, { body: JSON.stringify({ ...(path === "/return" ? {} : { once: drawnOnce() }), ...body }) });

async function play() {
  const { body } = document, seat = document.getElementById("seat").content;
  for (const each of [...body.querySelectorAll("header, main")]) each.remove();
  body.className = "seat-page";
  body.prepend(seat);
  await import("./seat.js");
}

function knock() {
  dress("title");
  const form = find("form"), name = find("name"), notice = find("notice"), sits = form.querySelector("button.again"), emoji = find("emoji");
  if (EVENING) find("code").textContent = EVENING.room;
  else form.classList.add("used");
  let told = ""; // the line of tell()
  name.value = localStorage.getItem(NAME) ?? "";
  watchName(name);

  let face = "", drawn = ""; // what is chosen, and what was by chance
  const choices = new Map();
  function choose(wanted) {
    face = wanted;
    for (const [each, made] of choices) {
      made.setAttribute("aria-pressed", String(each === wanted));
      made.innerHTML = faceSvg(each, each === wanted ? "laugh" : "calm");
    }
  }
  for (const each of DRAWN) {
    const made = having(button("face", () => { emoji.value = ""; choose(each); }), { "aria-label": `${say("faceOf")} ${choices.size + 1}` });
    choices.set(each, made);
    find("faces").append(made);
  }
  emoji.addEventListener("input", () => { if (emoji.value.trim()) choose(emoji.value.trim()); });

  // One that is free, by chance: who joins needs no more than a name. What was chosen stays while it is free.
  function offer(taken) {
    for (const [each, made] of choices) made.disabled = taken.includes(each);
    const free = DRAWN.filter((each) => !taken.includes(each)), last = face || localStorage.getItem(FACE);
    choose(last && !taken.includes(last) ? last : drawn = free[Math.floor(Math.random() * free.length)] ?? "");
    if (face && !choices.has(face)) emoji.value = face;
  }
  offer([]);

  const refuse = (why) => { notice.textContent = refusal(why, name.value); };
  let looked = () => {}, due = null;
  const isLooked = new Promise((done) => { looked = done; });
  // Where there is no place, that is said before a name is typed.
  async function look() {
    const answer = await post("/invited", {});
    if (!answer.ok) throw new Error(String(answer.status));
    const { invited, faces, away } = await answer.json();
    find("back").hidden = !away.length;
    find("lost").onclick = () => comeBack(away);
    const wasFull = form.classList.contains("used");
    form.classList.toggle("used", !invited);
    offer(faces ?? []);
    if (!invited) {
      refuse("full");
      clearTimeout(due);
      due = setTimeout(() => look().catch(() => {}), AGAIN_MS);
      return;
    }
    if (wasFull) notice.textContent = "";
    looked();
  }
  // Whoever lost a phone says who they are, and taps the three faces that they alone were shown.
  function comeBack(away) {
    form.hidden = true;
    find("lost").hidden = true;
    find("asked").hidden = false;
    const asks = (word) => {
      find("asked").textContent = say(word);
      find("asked").focus();
    };
    const people = away.map((each) => button("face", () => tap(each), drawing("", faceSvg(each.face || "cap", "sleep")), node("b", "", each.name)));
    const tap = (guest) => {
      const tapped = [];
      asks("tapFaces");
      find("away").replaceChildren(...DRAWN.map((each) => button("face", async () => {
        tapped.push(each);
        find("told").textContent = "●".repeat(tapped.length);
        if (tapped.length < 3) return;
        const found = await answered(post("/return", { place: guest.place, faces: tapped.splice(0, 3) })).catch(() => ({ why: "disk" }));
        if (found.secret) enter(found);
        else find("told").textContent = say(`why_${found.why}`);
      }, drawnFace(each))));
    };
    asks("whoAreYou");
    find("away").replaceChildren(...people);
  }
  function enter({ secret, back }) {
    localStorage.setItem(guestKey, secret);
    localStorage.setItem(backKey, back.join(" "));
    play();
  }
  // What the host has answered: a secret with three faces, or why not. Fails if it has not answered.
  async function answered(asked) {
    const answer = await asked;
    if (answer.status === LOST) throw new Error("no answer");
    return answer.ok || answer.status === 409 ? answer.json() : { why: "disk" };
  }

  // A face that a guest has by chance, and that somebody else has taken meanwhile, is changed for a free one.
  async function sit() {
    const wanted = face, isDrawn = face === drawn, { why, ...found } = await answered(post("/sit", { name: name.value, face }));
    if (found.secret) {
      localStorage.setItem(NAME, name.value);
      localStorage.setItem(FACE, face);
      return enter(found);
    }
    if (why === "used") return look();
    if (why === "face") await look();
    return why === "face" && isDrawn && face !== wanted ? sit() : refuse(why);
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    sits.disabled = true;
    try {
      notice.textContent = told || say("line_soon");
      await isLooked;
      notice.textContent = "";
      await sit();
    } catch {
      notice.textContent = say("gone");
    }
    sits.disabled = false;
  });
  // What is wrong on the way to the host is said above the button, until nothing is.
  function tell() {
    const line = lineTrouble();
    if (line || notice.textContent === told) notice.textContent = line || (sits.disabled ? say("line_soon") : "");
    told = line;
  }
  addEventListener("maexchen:line", tell);
  whenOpen(() => { if (form.isConnected) look().catch(() => {}); });
  tell();
}

if (EVENING && localStorage.getItem(guestKey)) play();
else knock();
