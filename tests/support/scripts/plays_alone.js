() => setInterval(() => {
  const due = document.querySelector(".ways .due button, .end .again");
  if (!due) return;
  const at = { bubbles: true, pointerId: 1, button: 0 };
  due.dispatchEvent(new PointerEvent("pointerdown", at));
  const lasts_ms = due.dataset.gesture === "tap" ? 60 : 1400;
  setTimeout(() => dispatchEvent(new PointerEvent("pointerup", at)), lasts_ms);
}, 2000)
