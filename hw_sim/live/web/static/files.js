// What a page asks for besides what it is sent. A token goes in a header: addresses are kept and passed on.
import { ask } from "./line.js";
import { tokenKey } from "./socket.js";
import { node } from "./nodes.js";

// For who plays alone, and so has the first seat.
export const hasPlayed = () => localStorage.getItem(tokenKey(0)) !== null;
export function askFor(path) {
  const token = localStorage.getItem(tokenKey(0));
  return ask(path, { headers: token ? { Authorization: `Bearer ${token}` } : {} });
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
