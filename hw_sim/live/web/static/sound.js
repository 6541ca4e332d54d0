// What is heard: the piezos of all handhelds, as their boards drive them, and dice in a cup.
import { say, sayToggle } from "./words.js";
import { button, field, having, node } from "./nodes.js";
import { Synth } from "./synth.js";

const KEY = "maexchen.volume";
const LATE_S = 0.08; // tones are played so much later, lest one be missed
const STALE_S = 0.6;

export class Sounds extends Synth {
  constructor() {
    const kept = Number(localStorage.getItem(KEY) ?? 0.5);
    super(kept >= 0 && kept <= 1 ? kept : 0.5, (volume) => volume, false);
    this.voices = new Map(); // by seat
    this.rattling = new Map();
    this.shift = null; // of the table's time to that of the sound
  }

  // ``waves``: (virtual ms, Hz, duty in percent); ``own``: they are in one's own hand.
  tones(seat, waves, own) {
    if (!this.isHeard) return;
    const now = this.sound.currentTime;
    const at = (ms) => ms / 1000 + this.shift;
    const isStale = () => at(waves[0][0]) < now || at(waves[0][0]) > now + STALE_S;
    if (this.shift === null || isStale()) this.shift = now + LATE_S - waves[0][0] / 1000;
    if (!this.voices.has(seat)) {
      const wave = this.sound.createOscillator(), gain = this.sound.createGain();
      wave.type = "square";
      gain.gain.value = 0;
      wave.connect(gain).connect(this.out);
      wave.start();
      this.voices.set(seat, { wave, gain });
    }
    const { wave, gain } = this.voices.get(seat);
    for (const [ms, hz, duty] of waves) {
      // Of a square wave the fundamental goes with sin(π · duty).
      const loud = Math.sqrt(Math.sin(Math.PI * duty / 100)) * (own ? 0.16 : 0.06);
      if (hz) wave.frequency.setValueAtTime(hz, at(ms));
      gain.gain.setTargetAtTime(hz ? loud : 0, at(ms), 0.002);
    }
  }

  shaking(seat, isShaken, own) {
    if (isShaken === this.rattling.has(seat)) return;
    clearTimeout(this.rattling.get(seat));
    this.rattling.delete(seat);
    if (!isShaken) return;
    const knock = () => {
      this.#knock(own ? 0.5 : 0.2);
      this.rattling.set(seat, setTimeout(knock, 35 + 60 * Math.random()));
    };
    knock();
  }

  #knock(loud) {
    if (this.isHeard) this.rush(0, 0.03, { hz: 1800 + 2600 * Math.random(), q: 4, loud: loud * (0.5 + 0.5 * Math.random()) });
  }
  // Dice that roll out of a cup, and what becomes of who pays: water, or a match that goes out.
  moment(dice, fate) {
    for (let knock = 0; knock < 2 * dice; knock++) setTimeout(() => this.#knock(0.6), 450 + 130 * knock * (0.7 + 0.6 * Math.random()));
    if (fate === "pays") return;
    const band = fate === "nowSwims" ? { hz: 500, over: 1400, to: 300 } : { hz: 5200, over: 2600, to: 900 };
    setTimeout(() => { if (this.isHeard) this.rush(0, 0.95, { ...band, q: 1.5 }); }, dice ? 1400 : 0);
  }

  hush() {
    super.hush();
    for (const { gain } of this.voices.values()) gain.gain.setTargetAtTime(0, this.sound.currentTime, 0.01);
    for (const timer of this.rattling.values()) clearTimeout(timer);
    this.rattling.clear();
    this.shift = null;
  }

  // A button that mutes and a slider, both kept.
  controls() {
    const mute = button("mute", () => {
      if (this.volume) before = this.volume;
      set(this.volume ? 0 : before);
    }), slider = having(field({ type: "range", max: 100 }), { "aria-label": say("volume") });
    const set = (volume) => {
      this.set(volume);
      localStorage.setItem(KEY, String(volume));
      slider.value = String(Math.round(volume * 100));
      mute.textContent = "♪";
      mute.classList.toggle("muted", !volume);
      const does = sayToggle("sound", Boolean(volume));
      having(mute, { "title": does, "aria-label": does });
    };
    let before = this.volume || 0.5;
    slider.addEventListener("input", () => set(Number(slider.value) / 100));
    set(this.volume);
    return node("span", "sound", mute, slider);
  }
}
