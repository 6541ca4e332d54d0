async () => {
  await document.fonts.ready;
  for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame); // a resize is observed
  for (const each of document.images) { // its address may come later, or change meanwhile
    for (let left = 600; left > 0 && each.isConnected; left -= 1) {
      const decoded = await each.decode().then(() => true, () => false);
      if (decoded) break;
      const broken = each.src && each.complete && !each.naturalWidth;
      if (left === 1 || broken) throw new Error(`no picture: ${each.src}`);
      await new Promise(requestAnimationFrame);
    }
  }
  for (const each of document.getAnimations()) {
    if (each.effect.getComputedTiming().endTime === Infinity) each.cancel(); else each.finish();
  }
}
