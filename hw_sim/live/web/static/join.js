// A guest with an invitation says his name and is given a place. The invitation leaves the address at once.
import { dress, say } from "./words.js";
import { guestKey, secretOf } from "./socket.js";

const NAME = "maexchen.name";
const find = (id) => document.getElementById(id);
const form = find("form"), name = find("name"), notice = find("notice"), button = form.querySelector("button");
dress();
document.title = say("title");
const invitation = secretOf("maexchen.invitation", sessionStorage, 16);
if (localStorage.getItem(guestKey)) location.replace("/phone");
name.value = localStorage.getItem(NAME) ?? "";

async function sit(called) {
  const answer = await fetch("/sit", { method: "POST", body: JSON.stringify({ invitation: invitation ?? "", name: called }) });
  return answer.ok || answer.status === 409 ? answer.json() : { why: "disk" };
}
function refuse(why) {
  notice.textContent = say(`why_${why}`);
  form.classList.toggle("used", why === "used");
}
// Nobody sits down without a name, but a used invitation is refused before one is typed.
sit("").then(({ why }) => { if (why === "used") refuse(why); }, () => { notice.textContent = say("gone"); });

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  try {
    const { secret, why } = await sit(name.value);
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
