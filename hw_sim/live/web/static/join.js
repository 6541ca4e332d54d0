// Who was invited says his name and is given a place. The invitation leaves the address at once.
import { dress, say } from "./words.js";
import { guestKey, secretOf } from "./socket.js";

const NAME = "maexchen.name";
const find = (id) => document.getElementById(id);
const name = find("name"), notice = find("notice"), button = document.querySelector("#form button");
dress();
document.title = say("title");
const invitation = secretOf("maexchen.invitation", sessionStorage, 16);
if (localStorage.getItem(guestKey)) location.replace("/phone");
name.value = localStorage.getItem(NAME) ?? "";
if (!invitation) notice.textContent = say("why_used");

find("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  try {
    const answer = await fetch("/sit", { method: "POST", body: JSON.stringify({ invitation: invitation ?? "", name: name.value }) });
    const { secret, why } = answer.ok || answer.status === 409 ? await answer.json() : { why: "disk" };
    if (secret) {
      localStorage.setItem(guestKey, secret);
      localStorage.setItem(NAME, name.value);
      sessionStorage.removeItem("maexchen.invitation");
      location.replace("/phone");
      return;
    }
    notice.textContent = say(`why_${why}`);
  } catch {
    notice.textContent = say("gone");
  }
  button.disabled = false;
});
