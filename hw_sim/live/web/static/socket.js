// The connection to the table: says hello with the seat's token, and comes back after a break.
import { language } from "./words.js";
const FINAL = new Set([4400, 4403, 4409, 4429]);
const tokenKey = (seat) => `maexchen.seat.${location.host}.${seat}`;

export class Table {
  constructor(view, seat, heard) {
    this.view = view;
    this.wanted = seat;
    this.heard = heard;
    this.seat = null;
    this.open = false;
    this.wait = 300;
    this.connect();
  }
  get token() {
    return localStorage.getItem(tokenKey(this.wanted ?? 0));
  }
  connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/socket`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.open = true;
      this.send({ do: "hello", view: this.view, seat: this.wanted, token: this.token, language });
    };
    socket.onmessage = ({ data }) => {
      if (typeof data !== "string") {
        const bytes = new Uint8Array(data);
        this.heard.panel?.(bytes[1], bytes[2], bytes.subarray(3));
        return;
      }
      const message = JSON.parse(data);
      if (message.is === "welcome") {
        this.wait = 300;
        this.seat = message.seat;
        this.rights = message.rights;
        if (message.token) localStorage.setItem(tokenKey(message.seat), message.token);
      }
      if (message.is === "left") {
        localStorage.removeItem(tokenKey(this.seat));
        this.seat = null;
      }
      this.heard[message.is]?.(message);
    };
    socket.onclose = ({ code, reason }) => {
      this.open = false;
      if (FINAL.has(code)) {
        this.heard.ended?.(code, reason);
        return;
      }
      this.heard.gone?.();
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(3000, this.wait * 1.6);
    };
  }
  send(message) {
    if (this.open && this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
  mine(message) {
    if (this.seat !== null) this.send({ ...message, seat: this.seat });
  }
  leave() {
    this.mine({ do: "leave" });
  }
}
