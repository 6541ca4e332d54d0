// A handheld inside another page: that page hears what happens, and may move the hand (maexchen-handheld.js).
const outside = (is, detail) => parent.postMessage({ from: "maexchen", is, detail }, "*");
const TOLD = {
  welcome: ({ seat, names, title }) => outside("ready", { seat, names, title }),
  says: ({ text }) => outside("display", { text }),
  asked: ({ asked: { says, occasion, ways, dial } }) => outside("prompt", { says, occasion, ways, dial }),
  heard: ({ lines }) => outside("heard", { lines }),
  verdict: ({ moment }) => outside("verdict", moment),
  state: ({ over }) => { if (over !== undefined) outside("over", { over }); },
};
const DONE = new Set(["lift", "cover", "key", "turn"]);

if (parent !== window) {
  let seat = null;
  addEventListener("maexchen:news", ({ detail }) => {
    if (detail.is === "welcome") ({ seat } = detail);
    if (!("seat" in detail) || detail.seat === seat) TOLD[detail.is]?.(detail);
  });
  addEventListener("message", ({ source, data }) => {
    if (source === parent && data?.to === "maexchen" && DONE.has(data.what?.do)) dispatchEvent(new CustomEvent("maexchen:do", { detail: data.what }));
  });
}
