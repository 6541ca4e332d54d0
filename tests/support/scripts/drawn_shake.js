([hz, lasts_s]) => {
  const body = document.querySelector(".mine .case"), { x, y } = body.getBoundingClientRect();
  for (let ms = 0; ms <= 1000 * lasts_s; ms += 10) {
    const at = { clientX: x + 150 + 70 * Math.sin(2 * Math.PI * hz * ms / 1000), clientY: y + 100 };
    const event = new PointerEvent("pointermove", { ...at, bubbles: true });
    Object.defineProperty(event, "timeStamp", { value: 1e6 + ms });
    body.dispatchEvent(event);
  }
}
