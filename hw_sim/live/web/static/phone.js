// What only a phone can do: feel that it is shaken or tilted, and stay awake.
import { say } from "./words.js";
import { button, having, node } from "./nodes.js";

const G = 9.81;
const SHAKEN = 5; // m/s² beyond rest: it is shaken
const QUIET_MS = 900; // what came so shortly before and after that is told, too
const EVERY_MS = 33;
const STEP_DEG = 6, MOST_DEG = 66;
const MOST = 150;

// Feels for a handheld: shakes as they were felt, tilts while there is a dial to be moved.
export class Motion {
  constructor(table) {
    this.table = table;
    this.waiting = [];
    this.shakenAt = -1e9;
    this.roll = 0;
    this.told = 0;
    this.tilts = false; // whether there is a dial
  }
  // Returns whether it is felt from now on, null if it never is; some browsers want to be asked after a touch.
  async begin() {
    if (!window.isSecureContext || !("DeviceMotionEvent" in window)) return null;
    try {
      const ask = DeviceMotionEvent.requestPermission;
      if (ask && (await ask.call(DeviceMotionEvent)) !== "granted") return false;
    } catch {
      return false;
    }
    addEventListener("devicemotion", (event) => this.#feel(event));
    return true;
  }
  #feel(event) {
    const felt = event.accelerationIncludingGravity;
    if (!felt || felt.x === null) return;
    const sign = navigator.vendor.startsWith("Apple") ? -1 : 1; // there gravity points the other way
    const [x, y, z] = [felt.x, felt.y, felt.z].map((each) => Math.max(-MOST, Math.min(MOST, Math.round(sign * each * 100) / 100)));
    const size = Math.hypot(x, y, z);
    const now = event.timeStamp;
    if (Math.abs(size - G) > SHAKEN) this.shakenAt = now;
    this.waiting.push([now, x, y, z]);
    const isShaken = now - this.shakenAt < QUIET_MS;
    if (!isShaken) while (this.waiting[0][0] < now - QUIET_MS / 3) this.waiting.shift();
    else if (!this.timer) this.timer = setTimeout(() => this.#tell(), EVERY_MS);
    this.roll += 0.15 * (Math.atan2(-x, Math.hypot(y, z)) * 180 / Math.PI - this.roll);
    if (!isShaken) this.#lean();
  }
  #tell() {
    this.timer = null;
    while (this.waiting.length) this.table.mine({ do: "felt", at: this.waiting.splice(0, 60) });
  }
  #lean() {
    const roll = this.tilts ? Math.max(-MOST_DEG, Math.min(MOST_DEG, Math.round(this.roll / STEP_DEG) * STEP_DEG)) : 0;
    if (roll === this.told || Math.abs(roll - this.told) < STEP_DEG) return;
    this.told = roll;
    this.table.mine({ do: "tilt", roll, pitch: 0 });
  }
}

// A button where the browser wants to be touched first, else none: the phone is felt at once.
export async function motionButton(motion) {
  if (await motion.begin() !== false) return null;
  return button("motion", async ({ target }) => { if (await motion.begin()) target.remove(); }, say("motion"));
}

// The screen stays on while somebody plays. A browser without a wake lock, as over plain http, plays a dark film
// of four seconds without an end; it begins with a touch. It is not looped: some phones sleep beside a loop.
// ``fellAsleep`` is called when the page is seen again.
export function stayAwake(fellAsleep) {
  let film = null, left = false;
  const load = async () => { // as a whole: some phones want films in parts, which no table serves
    film = having(node("video", "awake"), { "playsinline": "", "disableremoteplayback": "", "aria-hidden": true });
    film.addEventListener("timeupdate", () => { if (film.currentTime > 2) film.currentTime = 0; });
    document.body.append(film);
    addEventListener("pointerdown", () => { if (film.paused) play(); });
    film.src = URL.createObjectURL(await (await fetch(new URL("awake.mp4", import.meta.url))).blob());
  };
  const play = () => film.play().catch(() => {});
  const ask = () => {
    if (document.hidden) {
      left = true;
      film?.pause();
      return;
    }
    navigator.wakeLock?.request("screen").catch(() => {});
    if (film) play();
    if (left && film) fellAsleep();
  };
  document.addEventListener("visibilitychange", ask);
  addEventListener("pointerdown", ask, { once: true });
  if (!navigator.wakeLock) load().catch(() => {});
  ask();
}
