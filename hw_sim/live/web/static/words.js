// Everything a page says by itself, in German and English. What a display says comes from the table.
const WORDS = {
  title: ["Mäxchen – der Tisch", "Mäxchen – the table"],
  seatTitle: ["Mäxchen – Handgerät", "Mäxchen – handheld"],
  benchTitle: ["Mäxchen – Werkbank", "Mäxchen – the bench"],
  you: ["du", "you"],
  bot: ["Bot", "bot"],
  person: ["Mensch", "person"],
  honest: ["ehrlich", "honest"],
  cautious: ["vorsichtig", "cautious"],
  cheeky: ["frech", "cheeky"],
  random: ["zufällig", "random"],
  shakes: ["schüttelt", "shakes"],
  lifts: ["hebt den Becher", "lifts the cup"],
  tilts: ["neigt", "tilts"],
  touches: ["berührt", "touches"],
  cup: ["hat den Becher", "has the cup"],
  off: ["ohne Strom", "no power"],
  shake: ["Schütteln", "Shake"],
  lift: ["Heben", "Lift"],
  pad: ["Tasten", "Touch"],
  left: ["Nach links neigen", "Tilt left"],
  right: ["Nach rechts neigen", "Tilt right"],
  drop: ["Fallen lassen", "Drop"],
  motion: ["Bewegung des Telefons nutzen", "Use the phone’s motion"],
  motionOn: ["Telefon wird gespürt", "Phone is felt"],
  heard: ["Am Tisch", "At the table"],
  quiet: ["Noch hat niemand etwas gesagt.", "Nobody has said anything yet."],
  display: ["Anzeige von", "Display of"],
  handheld: ["Handgerät von", "Handheld of"],
  dark: ["dunkel", "dark"],
  turnedAway: ["abgewandt", "turned away"],
  again: ["Noch ein Spiel", "Another match"],
  over: ["Das Spiel ist aus.", "The match is over."],
  gone: ["Der Tisch antwortet nicht. Neuer Versuch …", "The table does not answer. Trying again …"],
  taken: ["Hier sitzt schon jemand.", "Somebody sits here already."],
  wrongSeat: ["Dieser Platz gehört einem Bot.", "This seat is a bot’s."],
  refused: ["Das darf hier nur, wer allein spielt.", "Only who plays alone may do that."],
  disk: ["Der Tisch kann nichts mehr aufschreiben.", "The table cannot write anything down."],
  stoodUp: ["Der Platz ist freigegeben.", "The seat has been given up."],
  closed: ["Verbindung beendet:", "Connection closed:"],
  watch: ["Zum Tisch", "To the table"],
  bench: ["Werkbank", "Bench"],
  leave: ["Platz freigeben", "Leave the seat"],
  seats: ["Plätze", "Seats"],
  free: ["frei – setz dich", "free – sit down"],
  seated: ["besetzt", "taken"],
  language: ["English", "Deutsch"],
  speed: ["Tempo", "Speed"],
  pause: ["Anhalten", "Pause"],
  go: ["Weiter", "Go on"],
  step: ["Ein Schritt", "Step"],
  stepLong: ["0,1 s weiter", "0.1 s on"],
  replay: ["Zeitpunkt", "Moment"],
  live: ["Zurück zum Spiel", "Back to the match"],
  past: ["Du siehst, was war.", "You are looking at what was."],
  lux: ["Licht im Raum (lx)", "Light of the room (lx)"],
  noise: ["Rauschen (m/s²)", "Noise (m/s²)"],
  errors: ["Busfehler pro Sekunde", "Bus errors a second"],
  faults: ["Fehler", "Faults"],
  display_: ["Anzeige abziehen", "Unplug the display"],
  accelerometer: ["Beschleunigungssensor abziehen", "Unplug the accelerometer"],
  light: ["Lichtsensor abziehen", "Unplug the light sensor"],
  stuck: ["Bus hängt", "Bus stuck"],
  brownout: ["Spannungseinbruch", "Brown-out"],
  link: ["Funk weg", "Drop the link"],
  battery: ["Akku leer", "Dead battery"],
  exports: ["Mitnehmen", "Take along"],
  plots: ["Sensoren", "Sensors"],
  plotLight: ["Licht, lx", "Light, lx"],
  plotAccel: ["Beschleunigung, m/s²", "Acceleration, m/s²"],
  plotTilt: ["Neigung, °", "Tilt, °"],
  plotTouch: ["Berührung", "Touch"],
  bus: ["Bus und Pins", "Bus and pins"],
  time: ["Zeit", "Time"],
  part: ["Teil", "Part"],
  register: ["Register", "Register"],
  meaning: ["Bedeutung", "Meaning"],
  air: ["Funk", "Radio"],
  noRights: ["Die Werkbank gehört dem, der allein spielt (oder --open).", "The bench is for who plays alone (or --open)."],
  keys: ["Tasten", "Keys"],
  rules: ["Regeln", "Rules"],
  keySpace: ["Leertaste", "space"],
  keyEnter: ["Eingabe", "enter"],
  keyHold: ["gehalten", "held"],
  kShake: ["schütteln (oder Gerät ziehen)", "shake (or drag the device)"],
  kLift: ["heben, solange gehalten", "lift while held"],
  kTilt: ["neigen", "tilt"],
  kTap: ["tippen", "tap"],
  kHold: ["halten", "hold"],
  kDrop: ["fallen lassen", "drop"],
  hint: ["Zieh das Gerät hin und her, um zu würfeln.", "Drag the device to and fro to throw."],
  clip: ["Anzeige (PNG)", "Display (PNG)"],
  film: ["die letzten 20 s (GIF)", "its last 20 s (GIF)"],
};
const KEY = "maexchen.language";
function chosen() {
  const kept = localStorage.getItem(KEY);
  if (kept === "de" || kept === "en") return kept;
  return (navigator.language || "en").toLowerCase().startsWith("de") ? "de" : "en";
}
export const language = chosen();
export function say(name) {
  const pair = WORDS[name];
  if (!pair) throw new Error(`no words for ${name}`);
  return pair[language === "de" ? 0 : 1];
}
export function dress(root = document) {
  document.documentElement.lang = language;
  for (const node of root.querySelectorAll("[data-say]")) node.textContent = say(node.dataset.say);
  for (const node of root.querySelectorAll("[data-label]")) node.setAttribute("aria-label", say(node.dataset.label));
  for (const node of root.querySelectorAll("[data-language]")) {
    node.lang = language === "de" ? "en" : "de";
    node.addEventListener("click", () => {
      localStorage.setItem(KEY, language === "de" ? "en" : "de");
      location.reload();
    });
  }
}
