() => {
  window.spoken = [];
  const live = (each) => each?.closest?.("[aria-live], [role=status], [role=alert], [role=log]");
  new MutationObserver((all) => {
    for (const { target, addedNodes } of all) {
      const region = live(target.nodeType === 1 ? target : target.parentElement);
      if (!region || region.getAttribute("aria-live") === "off") continue;
      window.spoken.push(...[...addedNodes].map((node) => node.textContent.trim()).filter(Boolean));
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}
