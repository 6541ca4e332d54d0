async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const all = [...document.querySelectorAll(".seat:not(.own) :is(.name, .device, .caption)")]
    .filter((each) => each.checkVisibility())
    .map((each) => [each, each.getBoundingClientRect()]).filter(([, box]) => box.width > 2);
  const apart = (a, b) => a.right < b.left + 3 || b.right < a.left + 3
    || a.bottom < b.top + 3 || b.bottom < a.top + 3;
  return all.flatMap(([one, at], place) => all.slice(place + 1)
    .filter(([other, there]) => one.parentElement !== other.parentElement && !apart(at, there))
    .map(([other]) => `${one.textContent} on ${other.textContent}`))
    .concat(all.filter(([, box]) => box.left < 0 || box.right > innerWidth)
      .map(([one]) => `${one.textContent} beyond the edge`));
}
