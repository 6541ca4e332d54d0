() => {
  const pen = document.createElement("canvas").getContext("2d"), found = [];
  const stage = document.getElementById("stage");
  const words = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT);
  const k = stage.getBoundingClientRect().height / innerHeight, unit = innerHeight / 1080;
  while (words.nextNode()) {
    const text = words.currentNode.textContent.trim(), made = words.currentNode.parentElement;
    const isShown = made.checkVisibility({ visibilityProperty: true });
    if (!text || made.closest("svg") || !isShown) continue;
    const style = getComputedStyle(made), range = document.createRange();
    pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    range.selectNodeContents(words.currentNode);
    const box = range.getBoundingClientRect();
    const isCut = style.overflowX !== "visible" && made.scrollWidth > made.clientWidth + 1;
    const beyond = isCut || box.left < 0 || box.right > innerWidth + 1;
    found.push({
      text, cap: pen.measureText("H").actualBoundingBoxAscent * k,
      kind: made.closest(".address, .code") ? "fine" : made.closest(".name, .by") ? "may" : "must",
      long: text.length > 8 || Boolean(made.closest(".by")),
      beyond: beyond || box.bottom > innerHeight + 12 * unit,
    });
  }
  for (const each of document.querySelectorAll(".numerals")) {
    const cap = each.getBoundingClientRect().height / unit;
    found.push({ text: "numerals", cap, kind: "must" });
  }
  return found;
}
