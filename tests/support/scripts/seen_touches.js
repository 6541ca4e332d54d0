async ([part, presses, rest_ms]) => {
  const box = document.querySelector(".mine .case"), times = [];
  const look = () => [box.style.getPropertyValue("--lid"), box.classList.contains("lit")].join();
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const changed = (was) => new Promise((done, failed) => {
    const seen = new MutationObserver(() => look() !== was && done(performance.now()));
    seen.observe(box, { attributes: true });
    setTimeout(() => failed(new Error(`${part} does not change`)), 10000);
  });
  const at = { bubbles: true, pointerId: 1, button: 0 };
  const touch = (kind) => box.querySelector(part).dispatchEvent(new PointerEvent(kind, at));
  touch("pointerdown");  // believes: turns the dial first
  await wait(60);
  touch("pointerup");
  for (let press = 0; press < presses; press++) {
    await wait(press ? rest_ms : 4000);
    const before = performance.now(), seen = changed(look());
    touch("pointerdown");
    times.push(await seen - before);
    touch("pointerup");
  }
  return times;
}
