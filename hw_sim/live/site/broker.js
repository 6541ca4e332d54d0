// A handheld's stream to a broker: MQTT 5 over a WebSocket, or MQTT 3.1.1 where its address ends with ?version=3. It speaks what a relay speaks (`Crossing` of
// firmware/link/broker/relay.py) in JSON: bytes are base64, a message is [topic, payload, retained, sure, expires_s].
import mqtt from "mqtt/dist/mqtt.esm";

const KEEPALIVE_S = 10, ANSWER_MS = 5_000, MOST_READ = 512 * 1024, LAST_MS = 8_000;
const MOST_PAYLOAD = 8 * 1024; // a frame has at most 4096 bytes, and 28 of the room's seal
const SEND_KEPT = 0, SEND_NO_KEPT = 2;

const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const text = (payload) => btoa(String.fromCharCode(...payload));

// Opens a stream. `opened`, `heard` (with a text) and `ended` are called as those of a WebSocket are; `attended` once the
// broker has let it in.
export function dial(url, { opened, heard, ended, attended = () => {} }) {
  let socket = null, client = null, waits = 0;
  const isOld = /\?version=3$/.test(url); // which is 4 in its packets
  const end = () => {
    clearTimeout(waits);
    if (socket === null) return;
    const closing = socket;
    socket = null;
    client?.end(true);
    closing.close();
    ended();
  };
  const fail = (error) => {
    heard(JSON.stringify({ type: "tells", line: `broker ${url}: ${error.message}` }));
    clearTimeout(waits);
    waits = setTimeout(end, LAST_MS); // one that refuses is not asked again at once
  };

  function attend({ topics, kept, will, user, password }) {
    const account = user ? { username: user, password } : {};
    const last = will && { topic: will[0], payload: bytes(will[1]), retain: will[2], qos: Number(will[3]) };
    client = mqtt.connect(url, {
      ...account,
      ...(last ? { will: last } : {}),
      clean: true, clientId: "", connectTimeout: ANSWER_MS, createWebsocket: () => socket, keepalive: KEEPALIVE_S,
      properties: { maximumPacketSize: MOST_READ }, protocolVersion: isOld ? 4 : 5, queueQoSZero: false, reconnectPeriod: 0,
      resubscribe: false, timerVariant: "native", // other timers are a worker from a blob, which no page of ours allows
    });
    client.on("connect", () => {
      clearTimeout(waits);
      attended();
      const wanted = [...topics.map((topic) => [topic, SEND_NO_KEPT]), ...kept.map((topic) => [topic, SEND_KEPT])];
      const options = Object.fromEntries(wanted.map(([topic, rh]) => [topic, { qos: 1, rh }]));
      if (wanted.length) client.subscribe(options, (error) => { if (error) fail(error); });
    });
    client.on("message", (topic, payload, { retain }) => {
      if (payload.length <= MOST_PAYLOAD) heard(JSON.stringify({ type: "says", message: [topic, text(payload), retain] }));
    });
    client.on("error", fail);
    client.on("close", () => { if (!waits) end(); });
  }

  function publish([topic, payload, retain = false, sure = false, expires = null]) {
    const properties = expires === null ? {} : { messageExpiryInterval: expires };
    client?.publish(topic, bytes(payload), { qos: Number(sure), retain, properties });
  }

  try {
    socket = new WebSocket(url, ["mqtt"]);
  } catch (error) { // no address of a WebSocket, or one that the page may not reach
    queueMicrotask(ended);
    return { say() {}, close() {} };
  }
  socket.binaryType = "arraybuffer";
  waits = setTimeout(end, 2 * ANSWER_MS);
  socket.addEventListener("open", () => { clearTimeout(waits); waits = 0; opened(); }, { once: true });
  socket.addEventListener("close", () => { if (client === null) end(); });
  return {
    say(what) {
      const came = JSON.parse(what);
      if (socket === null) return;
      if (came.type === "attends" && client === null) attend(came);
      else if (came.type === "says") publish(came.message);
      else if (came.type === "parts" && client !== null) client.end(false, {}, end);
      else if (came.type === "parts") end();
    },
    close: end,
  };
}
