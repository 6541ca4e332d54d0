// What the site adds to each page: it is kept for use without a network, and links and files lead to a table.
import { ask, judge } from "./line.js";
import { language, say } from "./words.js";
import { waking } from "./waking.js";
import { node } from "./nodes.js";

function offerNew(worker) {
  waking.notice(say("newVersion"), "reload", () => worker.postMessage("replace"));
}
async function keep() {
  const had = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener("controllerchange", () => { if (had) location.reload(); });
  const kept = await navigator.serviceWorker.register(new URL("../sw.js", import.meta.url), { updateViaCache: "none" });
  if (kept.waiting && had) offerNew(kept.waiting);
  kept.addEventListener("updatefound", () => {
    const worker = kept.installing;
    worker.addEventListener("statechange", () => { if (worker.state === "installed" && had) offerNew(worker); });
  });
}
navigator.serviceWorker?.register && keep().catch(() => {}); // without it the site wants a network, and no more

// A button that copies the link of the present table.
const place = document.querySelector("nav");
const button = node("button", "", say("copyLink"));
button.type = "button";
button.addEventListener("click", async () => {
  const link = new URL("./", location.href);
  link.hash = `${await (await ask("/link")).text()}&lang=${language}`;
  try {
    await navigator.clipboard.writeText(link.href);
    waking.notice(say("linkCopied"));
  } catch {
    waking.notice(link.href);
  }
});
// A record or a session is judged: one that is dropped, or chosen.
const refuse = (error) => waking.notice(String(error.message ?? error));
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file) judge(file).catch(refuse);
});
const chosen = node("input"), open = node("button", "", say("openRecord"));
chosen.type = "file";
chosen.accept = ".jsonl";
chosen.hidden = true;
chosen.addEventListener("change", () => judge(chosen.files[0]).catch(refuse));
open.type = "button";
open.addEventListener("click", () => chosen.click());
if (document.body.classList.contains("table-page")) place.prepend(button, open, chosen);
