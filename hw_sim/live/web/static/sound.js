// What is heard: the piezos of all handhelds, as their boards drive them, and dice in a cup.
import { say, sayToggle } from "./words.js";
import { button, field, having, node } from "./nodes.js";

// What a page is heard with: tones, and noise through a band that moves. Browsers let it be heard once it was touched.
class Synth {
  // ``volume``: from 0 to 1; ``gain``: returns the gain of one; ``isLimited``: many sounds at once are no louder than one.
  constructor(volume, gain, isLimited) {
    Object.assign(this, { volume, gain, isLimited, playing: new Set() });
    for (const first of ["pointerdown", "keydown"]) addEventListener(first, () => this.begin().resume(), { capture: true, passive: true });
  }
  begin() {
    if (this.sound) return this.sound;
    this.sound = new AudioContext();
    this.out = this.sound.createGain();
    this.out.gain.value = this.gain(this.volume);
    (this.isLimited ? this.out.connect(this.sound.createDynamicsCompressor()) : this.out).connect(this.sound.destination);
    this.noise = this.sound.createBuffer(1, this.sound.sampleRate, this.sound.sampleRate);
    const samples = this.noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
    return this.sound;
  }
  set(volume) {
    this.volume = volume;
    this.out?.gain.setTargetAtTime(this.gain(volume), this.sound.currentTime, .02);
  }
  get isHeard() {
    return this.sound?.state === "running" && this.volume > 0;
  }
  hush() {
    for (const each of this.playing) each.stop();
  }
  #play(source, { loud = .5, pan = 0 }, start, rise, end, ...through) {
    const gain = this.sound.createGain(), side = this.sound.createStereoPanner();
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(loud, start + rise);
    gain.gain.exponentialRampToValueAtTime(.001, end);
    side.pan.value = pan;
    [source, ...through, gain, side, this.out].reduce((one, next) => one.connect(next));
    source.start(start);
    source.stop(end + .05);
    this.playing.add(source);
    source.onended = () => this.playing.delete(source);
  }
  // All times are in s, from now on. A tone goes from ``hz`` to ``to``.
  tone(hz, at, long, { wave = "triangle", to = hz, ...more } = {}) {
    const start = this.sound.currentTime + at, source = this.sound.createOscillator();
    source.type = wave;
    source.frequency.setValueAtTime(hz, start);
    source.frequency.exponentialRampToValueAtTime(Math.max(20, to), start + long);
    this.#play(source, more, start, Math.min(.02, long / 4), start + long);
  }
  // Noise, through a band from ``hz`` by way of ``over``, if there is one, to ``to``.
  rush(at, long, { hz, q = 1, over = 0, to = hz, ...more }) {
    const start = this.sound.currentTime + at, source = this.sound.createBufferSource(), band = this.sound.createBiquadFilter();
    source.buffer = this.noise;
    source.loop = true;
    band.type = "bandpass";
    band.Q.value = q;
    band.frequency.setValueAtTime(hz, start);
    if (over) band.frequency.linearRampToValueAtTime(over, start + long / 4);
    band.frequency.exponentialRampToValueAtTime(to, start + long);
    this.#play(source, more, start, 0, start + long, band);
  }
}

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

// The sounds of the big screen, made by the page itself: few, one at a time, over one volume.
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
