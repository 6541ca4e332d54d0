async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const seen = [...document.querySelectorAll(`header, aside, #others, #watching, #lobby > *, #last,
    .name, .bezel, .front, .controls, .ladder, .shows, .says, .advice, .lesson, .ways, .end,
    #far .case, #cup.there`)]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }))
    .map((each) => [each, each.getBoundingClientRect()])
    .filter(([, box]) => box.width > 2 && box.height > 2);
  const called = (each) =>
    `${each.className || each.id || each.tagName}: ${each.textContent.slice(0, 30)}`;
  const covers = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const pairs = seen.flatMap(([one, at], place) => seen.slice(place + 1)
    .filter(([other, there]) => !one.contains(other) && !other.contains(one) && covers(at, there))
    .filter(([other]) => other.id !== "cup" || !one.closest(".case")) // it stands in front of one
    .filter(([other]) => one.id !== "cup" || !other.closest(".case"))
    .map(([other]) => `${called(one)} × ${called(other)}`));
  const most = Math.max(innerHeight, document.documentElement.scrollHeight);
  const beyond = seen.filter(([one, box]) => !one.closest("aside")
    && (box.left < -1 || box.right > innerWidth + 1 || box.bottom > most + 1))
    .map(([one]) => `${called(one)} beyond the edge`);
  const cut = [...document.querySelectorAll(".guide, .says, .lesson, .ways")]
    .filter((each) => each.checkVisibility() && each.scrollHeight > each.clientHeight + 2)
    .map((each) => `${called(each)} is cut`);
  return [...pairs, ...beyond, ...cut];
}
