() => {
  const boxed = (made, tight) => {
    const range = document.createRange();
    range.selectNodeContents(made);
    return [made, (tight ? range : made).getBoundingClientRect()];
  };
  const shown = (rule, tight) => [...document.querySelectorAll(rule)]
    .filter((each) => each.childNodes.length).map((each) => boxed(each, tight));
  const large = [...shown(".headline", true), ...shown(".stamp, .reaction, .bubble", false)];
  const names = shown(".seat :is(.name, .tally), .patter-bubble", false);
  const meet = (a, b) => a.left < b.right - 2 && b.left < a.right - 2
    && a.top < b.bottom - 2 && b.top < a.bottom - 2;
  const pairs = names.flatMap((one, place) => [...large, ...names.slice(place + 1)]
    .map((other) => [one, other]));
  return pairs.filter(([[, one], [, other]]) => meet(one, other))
    .map(([[one], [other]]) => `${one.textContent} on ${other.textContent}`);
}
