async (detail) => {
  dispatchEvent(new CustomEvent("maexchen:news", { detail }));
  await (await fetch("_headers")).text(); // no look that this began comes later
}
