// Files that a page gives.
import { node } from "./nodes.js";

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
