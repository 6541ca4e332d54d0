// The sounds of the big screen, made by the page itself: few, one at a time, over one volume.
import { Synth } from "./synth.js";

const C = 261.63;
export class ScreenSound extends Synth {
  constructor() {
    super(.7, (volume) => .5 * volume ** 1.6, true);
  }
  #play(what) {
    if (document.hidden) return;
    this.begin();
    if (!this.isHeard) return;
    this.hush();
    what();
  }
  rattle(pan = 0) { this.#play(() => { for (let i = 0; i < 12; i++) this.rush(i * .11, .06, { hz: 1500 + 500 * (i % 3), q: 6, loud: .5, pan }); }); }
  down() { this.#play(() => { this.tone(110, 0, .2, { loud: .9, to: 50, wave: "sine" }); this.rush(0, .07, { hz: 500, loud: .6 }); }); }
  tock(place) { this.#play(() => this.tone(C * 2 ** (Math.max(0, place) / 14), 0, .2, { loud: .6 })); }
  slide() { this.#play(() => this.rush(0, .6, { hz: 300, to: 1400, q: 2, loud: .25 })); }
  knock() { this.#play(() => { for (const at of [0, .15]) { this.tone(180, at, .11, { loud: .8, to: 90, wave: "sine" }); this.rush(at, .03, { hz: 900, loud: .3 }); } }); }
  heartbeat() { this.#play(() => { for (let i = 0; i < 8; i++) for (const [late, loud] of [[0, .7], [.22, .45]]) this.tone(62, i * .95 + late, .16, { wave: "sine", loud, to: 40 }); }); }
  drum(ms) { this.#play(() => { const end = ms / 1000; for (let at = 0, i = 0; at < end; at += .055, i++) this.rush(at, .07, { hz: 240 + 40 * (i % 2), q: .8, loud: .12 + .45 * at / end }); }); }
  die() { this.#play(() => { for (const [at, hz] of [[0, 1900], [.09, 2300], [.15, 1700]]) this.rush(at, .06, { hz, q: 5, loud: .7 }); this.tone(240, 0, .12, { loud: .4, to: 120 }); }); }
  lie() { this.#play(() => [392, 369.99, 349.23].forEach((hz, i) => this.tone(hz, i * .18, i === 2 ? .5 : .2, { wave: "sawtooth", loud: .3, to: i === 2 ? hz * .7 : hz * .97 }))); }
  true() { this.#play(() => [523.25, 783.99].forEach((hz, i) => this.tone(hz, i * .16, .42, { loud: .5 }))); }
  hiss() { this.#play(() => this.rush(0, .9, { hz: 3800, to: 6500, q: .7, loud: .3 })); }
  splash() { this.#play(() => { this.rush(0, .8, { hz: 700, to: 2600, q: .6, loud: .6 }); this.tone(300, 0, .3, { to: 90, loud: .4, wave: "sine" }); }); }
  fanfare() { this.#play(() => [[0, 392, .16], [.18, 392, .1], [.3, 392, .1], [.42, 523.25, .5], [.42, 659.25, .5], [.95, 783.99, .85], [.95, 523.25, .85]].forEach(([at, hz, long]) => this.tone(hz, at, long, { wave: "sawtooth", loud: .22 }))); }
  tuba() { this.#play(() => [[0, 116.54, .42], [.5, 110, .42], [1, 103.83, .42], [1.5, 98, .7]].forEach(([at, hz, long]) => this.tone(hz, at, long, { wave: "sawtooth", loud: .42, to: at === 1.5 ? 87 : hz }))); }
  clink() { this.#play(() => { for (const [at, hz] of [[0, 2637], [.03, 3520], [.05, 4186]]) this.tone(hz, at, .45, { wave: "sine", loud: .3 }); }); }
  yawn() { this.#play(() => this.tone(330, 0, .8, { wave: "sine", loud: .4, to: 150 })); }
  babble() { this.#play(() => { for (let i = 0; i < 5; i++) this.tone(320 + 90 * ((i * 7) % 4), i * .08, .07, { wave: "square", loud: .12 }); }); }
}
