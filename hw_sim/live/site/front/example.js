// The example of an embedded handheld: its events as they come, and a button for each gesture.
import { dress, language, say } from "./words.js";
import { button, node } from "./nodes.js";

dress("exampleTitle");
const handheld = document.querySelector("maexchen-handheld"), events = document.getElementById("events");
events.setAttribute("aria-label", say("exampleEvents"));
handheld.setAttribute("lang", language); // before it is made: its file comes next
for (const [gesture, word] of [["shake", "shake"], ["lift", "lift"], ["cover", "coverCup"], ["tap", "pad"], ["left", "left"], ["right", "right"]]) {
  document.getElementById("gestures").append(button("", () => handheld.gesture(gesture), say(word)));
}
for (const name of ["ready", "display", "prompt", "heard", "verdict", "over"]) {
  handheld.addEventListener(name, ({ detail }) => {
    events.append(node("p", "", node("b", "", name), ` ${JSON.stringify(detail).slice(0, 160)}`));
    events.scrollTop = events.scrollHeight;
  });
}
