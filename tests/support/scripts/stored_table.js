async () => {
  const { channelOf } = await import(new URL("static/channel.js", location.href));
  const channel = new BroadcastChannel(channelOf("")), from = "test";
  await new Promise((done) => {
    channel.onmessage = ({ data }) => { if (data.to === from && data.kind === "stored") done(); };
    channel.postMessage({ to: "table", from, kind: "store" });
  });
  channel.close();
}
