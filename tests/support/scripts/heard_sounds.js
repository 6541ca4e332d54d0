async ([volume, shaken]) => {
  window.AudioContext = class extends OfflineAudioContext {
    constructor() { super(1, 48_000, 48_000); }
    get state() { return "running"; }
  };
  localStorage.setItem("maexchen.volume", volume);
  const { Sounds } = await import("/static/sound.js");
  const sounds = new Sounds();
  dispatchEvent(new PointerEvent("pointerdown"));
  if (shaken) sounds.shaking(0, true, true);
  else sounds.tones(0, [[5000, 1000, 50], [5200, 3000, 50], [5400, 0, 0]], true);
  sounds.rattling.forEach(clearTimeout);
  const heard = (await sounds.sound.startRendering()).getChannelData(0);
  const between = (from, to) => heard.subarray(from * 48, to * 48);
  const loud = (part) => Math.sqrt(part.reduce((sum, each) => sum + each * each, 0) / part.length);
  const rises = (part) => part.filter((each, i) => i && part[i - 1] < 0 && each >= 0).length;
  const hz = (part) => rises(part) / part.length * 48_000;
  return [[0, 70], [100, 250], [300, 450], [520, 900]].map(([from, to]) =>
    [hz(between(from, to)), loud(between(from, to))]);
}
