// Answers of the table that a page gets, and files that it gives.
import { ask } from "./line.js";
import { find, node } from "./nodes.js";
import { language, say } from "./words.js";

// The answer to a path and a query, in the page's language; null if there is none, and a line says why. ``none``: said of what is not found.
export async function answerTo(path, query = {}, none = "refused") {
  const answer = await ask(`${path}?${new URLSearchParams({ ...query, language })}`), { ok, status } = answer;
  find("notice").textContent = ok ? "" : [400, 500].includes(status) ? await answer.text() : say(status === 404 ? none : "refused");
  return ok ? answer : null;
}

export function save(blob, name) {
  const link = node("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const asFile = (blob, name) => new File([blob], name, { type: blob.type });
// Whether pictures go to a share sheet here, as phones have it.
export const shares = (picture = asFile(new Blob([], { type: "image/png" }), "a.png")) => navigator.canShare?.({ files: [picture] }) ?? false;
// A picture goes to the share sheet; it is saved where there is none.
export async function give(blob, name) {
  const picture = asFile(blob, name);
  if (!shares(picture)) return save(blob, name);
  try {
    await navigator.share({ files: [picture], title: "Mäxchen" });
  } catch (error) {
    if (error.name !== "AbortError") save(blob, name); // else the person thought better of it
  }
}
