// The big screen of a table: what all see, driven by public events alone.
import { LANGUAGES } from "./texts.js";
import { ask } from "./line.js";
import { button, copied } from "./nodes.js";
import { Table, preparation } from "./socket.js";
import { BOTS, CHARACTERS, DRAWN, REACTIONS, faceSvg, sound as reactionPicture } from "./faces.js";
import { Reveal, showMaexchen, showSwims } from "./screen_reveal.js";
import { showCard, showEnd, showLobby, sleeping } from "./screen_rooms.js";
import { ScreenSound } from "./sound.js";
import { announce, appear, Beats, listed, make, put, speak, spokenLanguage, stage, tell, valueName, wordsName } from "./screen_stage.js";
import { botFace, TableScene } from "./screen_table.js";

const CARD_MS = 9000, LOBBY_MS = 26000, ASLEEP_MS = 3000;
const sounds = new ScreenSound();
let lobby = null, welcome = null, table = null, latest = null, busy = false, reveal = null, beats = new Beats(), games = {};
let asleep = null, awayAt = {}, last = null, over = false, showsRoom = null, showsCard = null;
const queue = [], faces = {};

const faceOf = (seat) => {
  const name = welcome.names[seat];
  return seat >= welcome.people ? botFace(welcome.bots[seat - welcome.people]) : faces[name] || DRAWN[seat % DRAWN.length];
};
const named = (seats) => listed(seats.map((seat) => welcome.names[seat]));
const bidOf = ({ value, words, seat, by }) => ({ seat: seat ?? by, value: words ? wordsName(words) : value, number: value, word: words ? "" : valueName(value) });

// ---- between matches ------------------------------------------------------------------------
const isElsewhere = () => lobby === null || (welcome !== null && !over) || busy || showsRoom !== null;
async function room() {
  if (isElsewhere()) return;
  const language = spokenLanguage();
  games[language] ??= (await (await ask(`/games?language=${language}`)).json()).games;
  if (isElsewhere()) return;
  const game = games[language].find((each) => each.game === lobby.plan.game);
  const known = lobby.differences.length ? game.sentence : lobby.sentence, isClass = lobby.plan.game === "class" && lobby.sentence === game.sentence;
  const goal = isClass ? tell("stake") : known;
  showLobby({ ...lobby, hosts: hosts(), gameName: game.title, goal, characters: CHARACTERS });
}

// Who hosts copies the guests' link here, and may begin: a screen is a page of the host's browser.
function hosts() {
  document.body.classList.add("hosts");
  const { link } = lobby.door, { begin, copyLink: copy } = hosts.buttons ??= {
    begin: button("", () => { server.send({ do: "begin" }); preparing.set(true); }), copyLink: button("", () => {}),
  };
  const { texts } = LANGUAGES[spokenLanguage()];
  copy.textContent = tell("copyLink");
  copy.onclick = async () => { if (await copied(link)) copy.textContent = tell("copied"); };
  begin.textContent = preparing.on ? texts.preparing : texts.begin.replace("{n}", lobby.places.filter((each) => each.own).length + lobby.plan.bots.length);
  begin.disabled = preparing.on || lobby.hindrance !== "";
  return [copy, begin];
}
const preparing = preparation(() => hosts());

async function end(outcome) {
  const mine = showsRoom = {}, { losers, tally, left } = outcome;
  if (!losers.length) return card(mine); // it was stopped
  const counted = tally.map((each, seat) => [each, seat]).filter(([, seat]) => !losers.includes(seat) && !left.includes(seat));
  const least = Math.min(...counted.map(([each]) => each));
  const best = counted.filter(([each]) => each === least).map(([, seat]) => seat);
  const unit = latest.scores[0].unit;
  showEnd({ names: welcome.names, faceOf, losers, best, unit, clean: least === 0, sounds });
  setTimeout(() => { if (showsRoom === mine) card(mine); }, CARD_MS);
}
function card(mine) {
  const news = lobby?.card;
  if (!news?.matches) return leave(mine);
  const tally = [...lobby.tally].sort((one, other) => other.crowns - one.crowns || one.lost - other.lost);
  showCard({ lines: news.lines, tally, refused: news.refused, matches: news.matches, faces: (name) => faces[name] || characterFace(name), sounds });
  if (showsCard?.mine !== mine) setTimeout(() => leave(mine), LOBBY_MS);
  showsCard = { mine, written: JSON.stringify(news) };
}
const characterFace = (name) => BOTS[Object.keys(CHARACTERS).find((kind) => CHARACTERS[kind] === name)] ?? "cap";
function leave(mine) {
  if (showsRoom !== mine) return;
  showsRoom = showsCard = null;
  room();
}

// ---- a match --------------------------------------------------------------------------------
// What happened is shown in turn; the next throw cuts short what is left of a scene.
async function play() {
  if (busy) return;
  busy = true;
  while (queue.length) {
    const batch = queue.shift();
    beats = new Beats();
    for (const event of batch.events) {
      try {
        if (event.kind in HEADLINES) await headline(event.seat, ...HEADLINES[event.kind]);
        else if (event.kind in SENTENCES) await sentence(SENTENCES[event.kind], event);
        else await EVENTS[event.kind]?.(event, batch);
      } catch (error) {
        console.error(error);
      }
    }
  }
  busy = false;
  settle();
}
function settle() {
  if (!latest || !table || showsRoom || reveal) return;
  table.show();
  table.stands(latest);
  const { bid, turn, phase } = latest;
  if (sleepers() || turn === null || latest.open) return;
  if (phase === "offered" && bid) {
    if (table.acting?.length !== 2) offer(bidOf(bid), turn);
  } else if (phase === "doubted" && bid) lift(bidOf(bid), turn);
  else {
    const shakes = shaking === turn, isSaid = table.said === tell("shakes", { A: welcome.names[turn] });
    if (table.acting?.[0] !== turn || table.acting.length > 1 || shakes !== isSaid) acts(turn, shakes ? "shakes" : "has");
  }
  table.shakes(shaking === turn);
}
let shaking = null;
const acts = (seat, what) => table.acts(seat, tell(what, { A: welcome.names[seat] }));
function offer(said, decider, patter = "") {
  table.show();
  table.offers(said.seat, decider, { value: said.value, word: said.word, patter }, tell("believe", { B: welcome.names[decider] }));
}
function lift(said, doubter) {
  reveal = new Reveal(table, sounds, { speaker: said.seat, doubter, value: said.word ? said.number : null, word: said.word ? "" : said.value });
  reveal.begin();
  announce(tell("lifts", { B: welcome.names[doubter] }));
}
const back = () => { reveal = null; };
const isBot = (seat) => seat >= welcome.people;

// What somebody does: the words, and their mood.
const HEADLINES = {
  GaveIn: ["givesIn"], OwnedUp: ["admits"], WentOut: ["out"], GotSafe: ["safe", "laugh"], HalfLost: ["halfLost"], LeftTable: ["leaves", "calm"],
  TowerShown: ["showsTower", "laugh"], TowerSpared: ["spared", "smug"], Mishandled: ["mistake"], WentWrongWay: ["mistake"], Inadmissible: ["mistake"],
};
// What happens to all.
const SENTENCES = { Reversed: "reversed", PhaseTwoBegan: "phaseTwo", HalfBegan: "half", DecidingRound: "deciding", RoundVoided: "voided", Tied: "tied" };
const EVENTS = {
  Rolled({ seat, number }, { lines }) {
    back();
    table.show();
    for (const each of lines) if (table.patter(each.seat, each.text)) sounds.babble();
    acts(seat, number > 1 ? "again" : "has");
  },
  async Announced(event, { lines }) {
    back();
    last = bidOf(event);
    const patter = lines.find((each) => each.seat === event.seat)?.text ?? "";
    table.show();
    table.says(event.seat, { value: last.value, word: last.word, patter });
    table.climbs(event.value);
    announce(`${welcome.names[event.seat]}: ${last.word || last.value}`);
    await beats.wait(isBot(event.seat) ? 1500 : 900);
    offer(last, event.to, patter);
    await beats.wait(isBot(event.to) ? 900 : 0);
  },
  Believed({ seat }) {
    table.show();
    acts(seat, "has");
  },
  Doubted({ seat }) {
    if (last) lift(last, seat);
  },
  async Revealed(event, batch) {
    if (!reveal) lift(last ?? bidOf({ value: event.announced, seat: event.announcer }), event.seat);
    const scene = reveal;
    await scene.play(beats, { ...event, drumMs: batch.drum_s * 1000 }, () => server.send({ do: "shown" }));
    await beats.rest(900);
    const payers = batch.events.filter((each) => each.kind === "Penalised").map((each) => each.seat);
    scene.pays(payers, latest.scores);
    announce(stage.textContent);
    await beats.wait(2600);
    back();
  },
  async MaexchenShown({ seat }, batch) {
    const payers = batch.events.filter((each) => each.kind === "Penalised").map((each) => each.seat);
    showMaexchen(table, sounds, seat, payers.length ? tell("pays", { A: named(payers) }) : "");
    await beats.rest(4200);
    table.show();
  },
  async Swam({ seat }) {
    beats = new Beats(); // what came before may have been cut
    showSwims(table, sounds, seat);
    await beats.rest(3200);
    table.show();
  },
  Lifted: (event) => EVENTS.Threw(event),
  async Threw({ seat, dice }) {
    await beats.wait(30);
    if (!latest.open) return;
    const { open } = latest;
    const shown = open.throw?.seat === seat ? open.throw : open.done.find((each) => each.seat === seat) ?? { seat, aside: [], dice, worth: null, kind: "" };
    table.show();
    table.dice(open, seat, shown);
    await beats.rest(isBot(seat) ? 1700 : 1100);
  },
  async RoundDecided({ best, worst }) {
    table.show();
    table.clear();
    table.shownDice = null;
    table.duel(best, worst, tell("roundBest", { A: welcome.names[best] }), tell("roundWorst", { B: welcome.names[worst] }));
    await beats.rest(3000);
  },
  async MatchEnded({ outcome }) {
    const [, losers, , left, tally] = outcome;
    await new Beats().wait(1200);
    back();
    over = true;
    await end({ losers, left, tally });
  },
};
async function headline(seat, word, mood = "sad") {
  table.show();
  table.acts(seat, tell(word, { A: welcome.names[seat], B: welcome.names[seat] }));
  table.mood(seat, mood);
  await beats.rest(2200);
  table.moods[seat] = "calm";
}
// What happened to all: no face, no cup.
async function sentence(word, { half, seats = [] }) {
  table.show();
  table.clear();
  table.shownDice = null;
  table.headline(tell(word, { n: half, A: named(seats) }), 560, 160);
  table.faces();
  await beats.rest(1800);
}

// ---- phones that sleep ------------------------------------------------------------------------
// Returns whether the phone of the seat to act does.
function sleepers() {
  if (!table || showsRoom) return false;
  const now = performance.now(), { claimed, here } = server;
  table.asleep = new Set(claimed.map((_, seat) => seat).filter((seat) => claimed[seat] && !here.includes(seat) && now - (awayAt[seat] ?? now) >= ASLEEP_MS));
  const seat = latest?.turn, hasLeft = (each) => each < welcome.people && claimed[each] === false;
  const sleeps = seat !== null && (table.asleep.has(seat) || hasLeft(seat)) && !reveal;
  if (sleeps && (asleep?.seat !== seat || asleep.left !== hasLeft(seat))) {
    asleep?.made.remove();
    const shown = sleeping(welcome.names[seat], hasLeft(seat) ? "left" : welcome.handhelds?.includes(seat) ? "off" : "asleep");
    table.middle.style.visibility = "hidden";
    if (!latest.open) table.clear(); // who acted is on the mat again
    table.root.append(shown.made);
    shown.fitted();
    asleep = { seat, left: hasLeft(seat), made: shown.made };
    sounds.yawn();
    announce(shown.made.textContent);
  } else if (!sleeps && asleep) {
    asleep.made.remove();
    table.middle.style.visibility = "";
    asleep = null;
  }
  table.faces();
  return sleeps;
}
// The table's computer does not answer.
const toast = make("toast");
const lost = (told = "") => {
  toast.textContent = told || LANGUAGES[spokenLanguage()].texts.gone;
  toast.classList.toggle("told", told !== "");
  stage.after(toast);
};

// At the table it is on one's own face and plate; in another scene beside it.
function react({ place, reaction }) {
  const guest = lobby?.places[place];
  if (!guest?.name) return;
  const mood = REACTIONS[reaction], said = tell(`react_${reaction}`);
  const seat = table?.root.parentNode === stage ? welcome.names.indexOf(guest.name) : -1;
  if (seat >= 0) return void table.reacts(seat, mood, said);
  const there = [...stage.querySelectorAll(".reaction")];
  if (there.length > 1) return;
  const picture = reactionPicture(reaction);
  const made = make("reaction at", `${faceSvg(guest.face || DRAWN[place], mood)}${picture ?? ""}<span>${said}</span>`, {});
  put(made, { right: `${there[0]?.style.right === "44px" ? 62 + there[0].offsetWidth : 44}px`, y: 30 });
  stage.append(made);
  appear(made, 300);
  setTimeout(() => made.remove(), 2400);
}

// ---- the table's messages ---------------------------------------------------------------------
const server = new Table("screen", null, {
  lobby(news) {
    toast.remove();
    const was = lobby?.playing, known = JSON.stringify(faces);
    lobby = news;
    for (const each of news.places) if (each.name) faces[each.name] = each.face;
    speak(news.room.language || navigator.language.slice(0, 2));
    if (news.unreached) lost(tell("unreached", { a: news.unreached.replace(/^wss?:\/\//, "") }));
    sounds.set(news.room.volume);
    if (table) table.code.textContent = news.door.code;
    if (!news.playing && was === undefined) over = true;
    table?.faces();
    if (table?.acting?.length && !busy && !reveal && JSON.stringify(faces) !== known) {
      table.clear();
      settle();
    }
    const written = JSON.stringify(news.card);
    if (showsCard && written !== showsCard.written) card(showsRoom);
    room();
  },
  welcome(news) {
    welcome = news;
    queue.length = 0;
    beats.cut();
    latest = reveal = asleep = showsRoom = showsCard = last = shaking = null;
    server.claimed = server.here = [];
    over = false;
    table = new TableScene(news, faceOf, sounds);
    table.code.textContent = lobby?.door.code ?? "";
    table.game = lobby?.plan.game;
  },
  state(news) {
    if ("over" in news) over = news.over;
    if (news.standing) latest = news.standing;
    for (const [seat, { doing }] of Object.entries(news.seats)) {
      if (doing !== undefined && latest && Number(seat) === latest.turn) {
        shaking = doing === "shakes" ? Number(seat) : null;
        if (shaking !== null && beats.cuttable) beats.cut();
        if (!busy && !reveal && !showsRoom && table) settle();
      }
    }
    if ("claimed" in news || "here" in news) {
      server.claimed.forEach((_, seat) => { if (server.here.includes(seat)) delete awayAt[seat]; else awayAt[seat] ??= performance.now(); });
      setTimeout(sleepers, ASLEEP_MS + 50);
    }
    if (over && latest?.turn === null && !showsRoom && !busy) return void room();
    if (!busy) settle();
  },
  happened(news) {
    const who = news.events[0]?.seat;
    if (beats.cuttable && who !== undefined && !isBot(who)) beats.cut();
    queue.push({ lines: [], ...news });
    play();
  },
  reaction: react,
  refused({ why }) { lost(LANGUAGES[spokenLanguage()].texts[`why_${why}`]); },
  smiles({ seat }) { table?.smiles(seat); },
  again() { stage.replaceChildren(); },
  gone() {
    sounds.hush();
    lost();
  },
  ended() {
    toast.textContent = LANGUAGES[spokenLanguage()].texts.notTheScreen;
    stage.after(toast);
  },
});
