// What a page asks for besides what it is sent. A token goes in a header: addresses are kept and passed on.
import { ask } from "./line.js";
import { tokenKey } from "./socket.js";
import { node } from "./nodes.js";

// For who plays alone, and so has the first seat.
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
