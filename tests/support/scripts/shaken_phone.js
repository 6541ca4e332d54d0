async () => {
  const felt = (t) => ({ x: 26 * Math.sin(2 * Math.PI * 3.5 * t), y: 2, z: 9.6 });
  const began = performance.now();
  for (let t = 0; t < 2.6; t = (performance.now() - began) / 1000) {
    const accelerationIncludingGravity = t < 1.7 ? felt(t) : { x: 0, y: 2, z: 9.6 };
    dispatchEvent(new DeviceMotionEvent("devicemotion", { accelerationIncludingGravity }));
    await new Promise((done) => setTimeout(done, 16));
  }
}
