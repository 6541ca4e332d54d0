() => {
  globalThis.titles = [document.title];
  const read = () => titles.at(-1) === document.title || titles.push(document.title);
  new MutationObserver(read).observe(document.querySelector("title"), { childList: true });
}
