// How a phone comes to trust this table, so that its page may feel how it is shaken.
import { dress, say } from "./words.js";
import { guestKey, Table } from "./socket.js";

dress();
document.title = say("title");
const go = document.getElementById("go");
new Table("table", null, {
  lobby({ secure }) {
    if (!secure) return document.getElementById("notice").replaceChildren(say("trustNone"));
    go.disabled = false;
    go.onclick = () => { // no link: what stands in one is copied and sent
      const secret = localStorage.getItem(guestKey);
      const address = new URL(secure); // this computer may have several, and this phone has reached one
      if (/^[\d.]+$/.test(location.hostname)) address.hostname = location.hostname;
      location.assign(`${address}phone${secret ? `#${secret}` : ""}`);
    };
  },
});
