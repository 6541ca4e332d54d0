(up) => {
  const isThere = (each) => each !== null && each.checkVisibility({ visibilityProperty: true });
  const isTouched = (name) => {
    const found = document.querySelector(name);
    if (!isThere(found)) return false;
    const { x, y, width, height } = found.getBoundingClientRect();
    return found.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  };
  const { x, y, width, height } = document.querySelector("#notice").getBoundingClientRect();
  return {
    up: Object.keys(up).filter((name) => [...document.querySelectorAll(up[name])].some(isThere)),
    hands: [".lid", ".pad"].filter(isTouched),
    told: Boolean(document.elementFromPoint(x + width / 2, y + height / 2)?.closest("#notice")),
    over: document.body.dataset.over,
  };
}
