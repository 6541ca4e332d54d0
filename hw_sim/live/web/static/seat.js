// A phone that is the handheld: held upright or sideways, in one hand.
import { dress, say } from "./words.js";
import { lateOf, Lobby, secureLink } from "./lobby.js";
import { Table } from "./socket.js";
import { Device, listenToKeys } from "./device.js";
import { Guide, Ladder, buzz, markOf, showRules } from "./guide.js";
import { HOME, SEAT, at, hostIsAway, lineTrouble, passedOn } from "./line.js";
import { button, drawing, find, link, node } from "./nodes.js";
import { EyesUp, confession, overlayOf, roomControls, threeFaces } from "./guest.js";
import { faceSvg } from "./faces.js";
import { OwnHandheld } from "./own.js";
import { showMoment } from "./moments.js";
import { Motion, motionButton, stayAwake } from "./phone.js";
import { Sounds } from "./sound.js";
import { WATCH, watching } from "./watching.js";

// Several people with one handheld: a cover lies over it until the next player has it in hand.
class Passing {
  // ``taken``: gets the seat of the person who has the handheld now.
  constructor(taken) {
    this.next = null;
    this.told = node("h2", "");
    this.button = button("again", () => {
      this.button.disabled = true; // the cover stays until the next display is there
      taken(this.next);
    });
    this.cover = node("dialog", "passing", this.told, this.button);
    this.cover.addEventListener("close", () => { if (this.next !== null) this.cover.showModal(); }); // Escape opens nothing
    document.body.append(this.cover);
  }
  // ``turn``: the seat of a person called ``name``.
  to(turn, name) {
    if (this.next === turn) return;
    this.next = turn;
    this.told.textContent = say("passTo", { name });
    this.button.textContent = say("passHere", { name });
    this.button.disabled = false;
    if (!this.cover.open) this.cover.showModal();
  }
  over() {
    this.next = null;
    this.cover.close();
  }
}

const notice = find("notice"), hand = find("hand"), others = find("others"), menu = document.querySelector(".menu");
let seat = SEAT, lobby = null;
let device = null, guide = null, ladder = null, motion = null, names = [], people = 0, items = [], isParty = SEAT === null;
let passing = null; // where several people share this page
const sounds = new Sounds();
dress("seatTitle");
// While a big screen shows everything, a phone that is not asked is dark.
let eyes = null, isScreen = false, held = false, heldHere = false, asks = true, standing = null, shownRoom = "";
// What else lies over the handheld, and what the line above it may say.
let over = "", ended = "", isOffline = false, slept = false, trouble = "", denied = "";
const plays = () => Boolean(lobby?.news.places[lobby.news.place]?.plays);
function now() {
  const { scores, turn } = seat === null || !standing ? { scores: [], turn: null } : standing, count = scores.length;
  const steps = turn === null ? 0 : (seat - turn + count) % count, gone = missing();
  const between = Array.from({ length: Math.max(0, steps - 1) }, (_, step) => (turn + 1 + step) % count);
  const acts = (place) => !["out", "left", "safe"].includes(scores[place].status);
  return {
    ended: ended !== "", passing: (passing?.next ?? null) !== null, gathers: lobby !== null && !plays(), plans: wantsAnew, offline: isOffline, menu: menu.open,
    screen: isScreen && turn !== null, held: held || heldHere, waits: !asks || (gone !== undefined && gone === voted), reveals: Boolean(eyes?.reveals),
    verdict: hand.querySelector(".verdict") !== null, lies: Boolean(ladder?.values.length), missing: tellMissing(),
    before: turn === null || turn === seat || !acts(seat) ? null : between.filter(acts).length,
  };
}
// The seat that all wait for, whose phone does not answer: it is to act, or the cup comes from there. Undefined for none. A bot goes with its host.
const COMES = ["offered", "doubted", "believed"], VOTED_MS = 30_000; // the hand tries so long (world.py)
let voted;
function missing() {
  const { turn = null, phase, bid } = standing ?? {};
  if (!isParty || seat === null || turn === null || (lineTrouble(isOffline) && !isAlone())) return undefined;
  return [turn, ...(COMES.includes(phase) && bid ? [bid.by] : [])].find((each) => (each < people || isAlone()) && each !== seat && !table.here.includes(each));
}
find("without").addEventListener("click", () => {
  table.mine({ do: "without", gone: voted = missing() });
  setTimeout(() => { voted = undefined; show(); }, VOTED_MS);
  show();
});
function tellMissing() {
  const gone = missing(), name = names[gone], isBot = gone >= people, canWin = table.here.length * 2 > names.length;
  find("without").hidden = gone === undefined || gone === voted || (isBot && !canWin);
  find("without").textContent = say("goOnWithout", { name });
  if (gone === undefined) return "";
  return isBot && gone !== voted ? lineTrouble() : say(gone === voted ? "goOnVoted" : "missing", { name });
}
// Everything that lies over the handheld comes and goes here: one thing at a time.
function show() {
  eyes?.tell(now());
  const state = now();
  over = document.body.dataset.over = overlayOf(state);
  eyes?.lies(over, state);
  const line = over === "eyes" ? eyes.said : notice, without = find("without");
  if (line.nextSibling !== without) line.after(without);
  const comes = SEAT === null && seat === null && (lobby?.root.hidden ?? true) && say("line_soon"); // back, before the host and the handheld have answered
  const told = ended || (isAlone() && state.missing) || lineTrouble(isOffline, isMine()) || comes || (slept && say("asleepHint")) || (over !== "lobby" && (cupTrouble() || lateTold())) || trouble || state.missing || denied;
  if (notice.textContent !== told) notice.textContent = told;
}
const tellWatcher = () => watching(find("watching"), { table, phones: isParty, seat: SEAT });
// Several people share this page, until one of them wants to play alone.
const ALONE = passedOn({ game: "class", options: {}, bots: ["honest", "trusting"] }, 1);
function pass() {
  find("leave").before(link(say("playAlone"), ALONE));
  return new Passing((next) => table.sitAt(next));
}
// A phone that slept says so until it is touched and told something.
addEventListener("pointerdown", () => { slept = false; });
menu.addEventListener("toggle", show);
// The way to the table has changed. Without its host this phone goes on with the match that it has: the table is a broker's.
const WELCOME = `maexchen.welcome.${HOME}`, MATCH = `maexchen.match.${HOME}`;
addEventListener("maexchen:line", () => {
  if (seat === null && lineTrouble(false)) own.goOn();
  if (isAlone()) own.post("show");
  show();
});
function goOn() {
  const kept = localStorage.getItem(WELCOME);
  if (seat !== null || !lineTrouble(false) || !kept || localStorage.getItem(MATCH) !== played.session) return;
  const welcome = JSON.parse(kept);
  if (welcome.seat !== played.seat) return;
  table.seat = welcome.seat;
  heard.welcome(welcome);
}
find("sound").replaceWith(sounds.controls());
if (at(WATCH)) document.querySelector(".menu a").href = at(WATCH);
else document.querySelector(".menu a").remove();

// What this phone's own handheld shows and says, in place of what the table knows of its seat. While the host is away, it
// tells how the match stands, too, and who is there.
const OWN = new Set(["says", "asked", "tones"]);
let isOwn = false, played = null, why = "";
const own = new OwnHandheld({
  text(news) {
    if (!isOwn || device === null) return;
    const standsIn = news.is === "state" && isAlone();
    if (standsIn) table.notes(news);
    if (standsIn || OWN.has(news.is)) heard[news.is](news);
    if (news.is === "eyes") {
      heldHere = news.up;
      show();
    }
    else if (news.is === "state" && seat in news.seats) {
      device.state(news.seats[seat]);
      tellShake(news.seats[seat].doing);
    }
  },
  panel(_seat, contrast, memory) { if (isOwn) device?.panel(contrast, memory); },
  compares({ numbers }) { if (lobby) lobby.numbers = numbers; }, // of this phone's own handheld
  plays(news) {
    played = news;
    heldHere = false;
    localStorage.setItem(MATCH, played.session);
    goOn();
    own.post("show");
    tellCup();
  },
  recalls() { heard.lobby(lobby.news); },
  confesses(message) { table.send(message); },
  failed(reason) {
    why = reason;
    tellCup();
  },
});
// A host who plays can begin another match, in place of this one.
let wantsAnew = false;
function planAnew(on) {
  if (on === wantsAnew) return;
  wantsAnew = on;
  if (lobby !== null) heard.lobby(lobby.news);
}
find("anew").addEventListener("click", () => {
  menu.open = false;
  planAnew(true);
  find("lobby").scrollIntoView();
});
// The room hears that this phone is shaken. A hand that turns around is still for a moment.
const STILL_MS = 400;
let isShaken = false, still = 0;
function tellShake(doing) {
  if (doing === undefined) return;
  clearTimeout(still);
  const tell = (on) => { if (on !== isShaken) table.send({ do: "shaken", on: isShaken = on }); };
  if (doing === "shakes") tell(true);
  else still = setTimeout(tell, STILL_MS, false);
}
// Whose computer has this seat's dice, and the numbers that show that nobody reads along.
const isMine = () => isOwn && played?.seat === seat;
const isAlone = () => isMine() && hostIsAway();
const cupTrouble = () => (isOwn && !isMine() ? say(why || (played === null ? "own_waking" : "own_elsewhere")) : why && say(why));
// Once a match is over, its host hears whose handheld is not there for the next one.
const lateTold = () => (lobby?.news.host && !lobby.news.playing && seat !== null && !cupTrouble() ? lateOf(lobby.news) : "");
function tellCup() {
  const lines = [say("own_kept")];
  if (isMine()) lines.push(say("own_compare", { numbers: played.numbers.join(" ") }), say("own_release", { release: own.release }));
  find("cup").textContent = isOwn ? lines.join(" ") : "";
  show();
}
const heard = {
  lobby(news) {
    if (ended) return;
    own.told(news);
    lobby ??= new Lobby(table);
    lobby.told(news).then(show);
    isOffline = false;
    trouble = denied = "";
    const me = news.places[news.place];
    if (me) {
      find("name").replaceChildren(drawing("face-mark", faceSvg(me.face || "cap")), me.name);
      eyes ??= new EyesUp(table, show);
      eyes.face(me.face);
    }
    isScreen = news.screen;
    const wanted = JSON.stringify([news.room, news.host]);
    if (wanted !== shownRoom) find("room").replaceChildren(roomControls(table, news), ...threeFaces());
    shownRoom = wanted;
    if (!document.querySelector(".menu .secure")) find("leave").before(...secureLink(news.secure));
    find("anew").hidden = !news.host || !me?.plays;
    find("lobby").replaceChildren(...(wantsAnew || !plays() ? [...confession(table, own, news.lies), lobby.root, ...(news.tally.length ? [] : threeFaces()), ...secureLink(news.secure)] : []));
    show();
  },
  welcome(news) {
    isOffline = held = false; // a page that came back may have missed the end of a lift
    trouble = denied = "";
    if (news.seat !== null) ended = "";
    planAnew(false);
    document.title = say("seatTitle");
    ({ names, people, seat, phones: isParty } = news);
    items = names.map((name, place) => {
      const board = news.handhelds.includes(place) ? [node("small", "", say("onHandheld"))] : [];
      return node("li", "", node("span", "called", name), node("small", "absent"), ...board, node("span", "mark"), node("small", "doing"));
    });
    others.replaceChildren(...items);
    if (ALONE && !isParty && news.people > 1) {
      passing ??= pass();
      passing.over();
    }
    isOwn = seat !== null && news.apart;
    if (isOwn) localStorage.setItem(WELCOME, JSON.stringify(news));
    table.hand = isOwn ? (message) => own.post("take", JSON.stringify(message)) : null;
    find("last").setAttribute("aria-live", seat === null ? "polite" : "off"); // a display says what happens
    if (seat === null) { // who came late watches
      device = guide = ladder = null;
      hand.replaceChildren();
      show();
      if (!isParty) tellWatcher();
      return;
    }
    find("watching").hidden = true;
    if (!isParty) find("name").textContent = news.names[seat];
    find("leave").hidden = news.rights || passing !== null; // nobody waits for the seat of who plays alone
    showRules(find("told"), news);
    device = new Device(news.names[seat], table);
    ladder = new Ladder(news.ladder, table);
    guide = new Guide(device, table, ladder, news);
    device.slot.append(guide.root, ladder.root, guide.bar);
    if (motion === null) {
      motion = new Motion(table);
      motionButton(motion).then((button) => button && find("last").before(button));
      listenToKeys(() => device, table);
      stayAwake(() => {
        slept = true;
        show();
      });
    }
    hand.replaceChildren(device.root);
    if (isOwn) own.post("show");
    tellCup();
  },
  panel(_seat, contrast, memory) { if (_seat === seat) device.panel(contrast, memory); },
  says(news) { if (news.seat === seat) device.says(news.text); },
  asked(news) {
    if (news.seat !== seat) return;
    guide.asked(news.asked);
    asks = news.asked.occasion !== "" || news.asked.ways.some((each) => each.due);
    show();
    motion.tilts = news.asked.dial !== null;
  },
  eyes({ up }) {
    held = up;
    if (!up) {
      heldHere = false;
      own.post("look_here");
    }
    show();
  },
  tones(news) { if (!isScreen) sounds.tones(news.seat, news.waves, news.seat === seat); },
  verdict({ moment }) {
    if (moment.payers.includes(seat)) buzz([180]);
    if (!isScreen) showMoment(hand, moment, names, sounds, show);
    show();
  },
  heard({ lines }) { find("last").textContent = lines.slice(-2).join(" "); },
  state(news) {
    for (const [place, state] of Object.entries(news.seats)) {
      if (Number(place) === seat && !isOwn) device?.state(state);
      const item = items[place];
      if ("cup" in state) item.classList.toggle("cup", state.cup);
      if ("doing" in state && !isScreen) sounds.shaking(place, state.doing === "shakes", Number(place) === seat);
      if ("doing" in state) item.lastChild.textContent = state.doing ? say(state.doing) : "";
    }
    if (news.standing) {
      const { bid, turn } = standing = news.standing;
      if (passing && turn !== null && turn !== seat && turn < people) passing.to(turn, names[turn]);
      items.forEach((item, place) => {
        item.querySelector(".mark").replaceChildren(...markOf(standing, place));
        item.classList.toggle("turn", turn === place);
      });
      ladder?.stands(bid, names);
    }
    if ("claimed" in news || "here" in news || news.standing) {
      table.claimed.forEach((isClaimed, place) => {
        const isKnown = table.here.includes(place) || standing?.scores[place].status === "left"; // the mark says that
        items[place].querySelector(".absent").textContent = isKnown ? "" : say(isClaimed ? "away" : "nobody");
      });
      if (seat === null && !isParty) tellWatcher();
    }
    if (news.paused || news.past) sounds.hush();
    if ("trouble" in news) trouble = news.trouble ?? "";
    show();
    if ("over" in news && guide) {
      guide.over(news.over);
      guide.ways.hidden = isParty && news.over; // another match comes from the party
    }
  },
  refused({ why, between }) {
    if (lobby !== null) heard.lobby(lobby.news); // what was sent can be sent again
    if (over === "lobby") lobby.refused(why, between);
    else denied = say(`why_${why}`);
    show();
  },
  again() { find("last").textContent = ""; },
  ended(code, reason) {
    end(code === 4403 ? say(SEAT === null ? "why_used" : "wrongSeat") : `${say("closed")} ${reason}`, ...(at(WATCH) ? [link(say("watch"), at(WATCH))] : doorWay()));
  },
  left() {
    own.close();
    menu.open = false;
    find("name").textContent = "Mäxchen";
    document.title = say("seatTitle");
    end(say("stoodUp"), ...doorWay());
  },
  gone() {
    sounds.hush();
    isOffline = true;
    show();
    document.title = say("seatTitle");
  },
};
// Back to where one sits down.
function doorWay() {
  const code = lobby?.news.door?.code;
  return code ? [node("section", "lobby", link(say("sitDown"), at(code), "again"))] : [];
}
// The handheld is not this page's any more: it says why, and where one can go.
function end(reason, ...ways) {
  ended = reason;
  hand.replaceChildren();
  find("lobby").replaceChildren(...ways);
  show();
}
const table = new Table("seat", SEAT, heard);
find("ask").addEventListener("click", () => find("rules").showModal());
find("teach").addEventListener("click", () => { menu.open = false; });
find("close").addEventListener("click", () => find("rules").close());
find("leave").addEventListener("click", () => { if (confirm(say("leaving"))) table.send({ do: "leave", seat }); });
