// What a page is heard with: tones, and noise through a band that moves. Browsers let it be heard once it was touched.
export class Synth {
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
