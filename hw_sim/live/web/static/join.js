// A guest says a name, takes a face, and is given a place: by the code of the room, or an invitation of one's own.
import { dress, say } from "./words.js";
import { DRAWN, faceSvg } from "./faces.js";
import { codeField, drawnFace, refusal, watchName } from "./guest.js";
import { node } from "./nodes.js";
import { backKey, guestKey, secretOf } from "./socket.js";

const NAME = "maexchen.name", FACE = "maexchen.face";
const find = (id) => document.getElementById(id);
const form = find("form"), name = find("name"), notice = find("notice"), button = form.querySelector("button.again"), emoji = find("emoji");
dress();
document.title = say("title");
const code = decodeURIComponent(location.pathname).replace(/[^A-Za-z0-9]/g, "").toUpperCase(); // however it was typed
const isCode = code !== "JOIN";
const invitation = isCode ? code : secretOf("maexchen.invitation", sessionStorage, 16);
if (isCode) find("code").textContent = code;
name.value = localStorage.getItem(NAME) ?? "";
watchName(name);

let face = "";
const choices = new Map();
function choose(wanted) {
  face = wanted;
  for (const [each, made] of choices) {
    made.setAttribute("aria-pressed", String(each === wanted));
    made.innerHTML = faceSvg(each, each === wanted ? "laugh" : "calm");
  }
}
for (const each of DRAWN) {
  const made = node("button", "face");
  made.type = "button";
  made.setAttribute("aria-label", `${say("faceOf")} ${choices.size + 1}`);
  made.addEventListener("click", () => { emoji.value = ""; choose(each); });
  choices.set(each, made);
  find("faces").append(made);
}
emoji.addEventListener("input", () => { if (emoji.value.trim()) choose(emoji.value.trim()); });

// One that is free, by chance: who joins needs no more than a name.
function offer(taken) {
  for (const each of taken) choices.get(each)?.setAttribute("disabled", "");
  const free = DRAWN.filter((each) => !taken.includes(each)), last = localStorage.getItem(FACE);
  choose(last && !taken.includes(last) ? last : free[Math.floor(Math.random() * free.length)] ?? "");
  if (face && !choices.has(face)) emoji.value = face;
}
choose("");
find("letters").append(codeField(isCode ? code : ""));

const NO_WAY_IN = new Set(["used", "code", "full", "tries"]);
const post = (address, body) => fetch(address, { method: "POST", body: JSON.stringify({ invitation: invitation ?? "", ...body }) });
function refuse(why) {
  notice.textContent = why === "code" ? say("why_code", { code }) : refusal(why, name.value);
  form.classList.toggle("used", NO_WAY_IN.has(why));
  find("letters").hidden = !NO_WAY_IN.has(why);
  if (why === "code") find("code").textContent = "";
}
// A used invitation, or a wrong code, is refused before a name is typed.
async function look() {
  const answer = await post("/invited", {});
  if (answer.status === 429) return refuse("tries");
  const { invited, known, faces, away, owns } = await answer.json();
  document.querySelector(".openly").hidden = owns;
  find("back").hidden = !away.length;
  find("lost").onclick = () => comeBack(away);
  if (!invited) refuse(!isCode ? "used" : known ? "full" : "code"); else offer(faces ?? []);
}
// Whoever lost a phone says who they are, and taps the three faces that they alone were shown.
function comeBack(away) {
  form.hidden = true;
  find("lost").hidden = true;
  find("asked").hidden = false;
  const ask = (word) => {
    find("asked").textContent = say(word);
    find("asked").focus();
  };
  const choice = (done, ...inside) => {
    const made = node("button", "face", ...inside);
    made.type = "button";
    made.addEventListener("click", done);
    return made;
  };
  const people = away.map((each) => {
    const mark = node("span");
    mark.innerHTML = faceSvg(each.face || "cap", "sleep");
    return choice(() => tap(each), mark, node("b", "", each.name));
  });
  const tap = (guest) => {
    const tapped = [];
    ask("tapFaces");
    find("away").replaceChildren(...DRAWN.map((each) => choice(async () => {
      tapped.push(each);
      find("told").textContent = "●".repeat(tapped.length);
      if (tapped.length < 3) return;
      const answer = await post("/return", { place: guest.place, faces: tapped.splice(0, 3) }).catch(() => null);
      const found = answer?.ok || answer?.status === 409 ? await answer.json() : { why: answer?.status === 429 ? "tries" : "disk" };
      if (found.secret) enter(found);
      else find("told").textContent = say(`why_${found.why}`);
    }, drawnFace(each))));
  };
  ask("whoAreYou");
  find("away").replaceChildren(...people);
}
function enter({ secret, back }) {
  localStorage.setItem(guestKey, secret);
  localStorage.setItem(backKey, back.join(" "));
  sessionStorage.removeItem("maexchen.invitation");
  location.replace("/phone");
}
if (localStorage.getItem(guestKey)) location.replace("/phone");
else look().catch(() => { notice.textContent = say("gone"); });

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  try {
    const answer = await post("/sit", { name: name.value, face });
    const { why, ...found } = answer.ok || answer.status === 409 ? await answer.json() : { why: answer.status === 429 ? "tries" : "disk" };
    if (found.secret) {
      localStorage.setItem(NAME, name.value);
      localStorage.setItem(FACE, face);
      return enter(found);
    }
    refuse(isCode && why === "used" ? "full" : why);
    if (why === "face") look().catch(() => {});
  } catch {
    notice.textContent = say("gone");
  }
  button.disabled = false;
});
