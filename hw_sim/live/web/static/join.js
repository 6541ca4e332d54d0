// A guest with an invitation says his name and is given a place. The invitation leaves the address at once.
import { dress, say } from "./words.js";
import { guestKey, secretOf } from "./socket.js";

const NAME = "maexchen.name";
const find = (id) => document.getElementById(id);
const form = find("form"), name = find("name"), notice = find("notice"), button = form.querySelector("button");
dress();
document.title = say("title");
const invitation = secretOf("maexchen.invitation", sessionStorage, 16);
name.value = localStorage.getItem(NAME) ?? "";

const post = (address, body) => fetch(address, { method: "POST", body: JSON.stringify({ invitation: invitation ?? "", ...body }) });
function refuse(why) {
  notice.textContent = say(`why_${why}`);
  form.classList.toggle("used", why === "used");
}
// A used invitation is refused before a name is typed.
if (localStorage.getItem(guestKey)) location.replace("/phone");
else post("/invited", {}).then((answer) => answer.json()).then(({ invited }) => { if (!invited) refuse("used"); }, () => { notice.textContent = say("gone"); });

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  try {
    const answer = await post("/sit", { name: name.value });
    const { secret, why } = answer.ok || answer.status === 409 ? await answer.json() : { why: "disk" };
    if (secret) {
      localStorage.setItem(guestKey, secret);
      localStorage.setItem(NAME, name.value);
      sessionStorage.removeItem("maexchen.invitation");
      location.replace("/phone");
      return;
    }
    refuse(why);
  } catch {
    notice.textContent = say("gone");
  }
  button.disabled = false;
});
