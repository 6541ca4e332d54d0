// What the big screen shows between matches: the lobby, the last picture, the evening's card.
import { BOTS, board, crown, escape, faceSvg, mug, phone, topOf } from "./faces.js";
import { node } from "./nodes.js";
import { announce, fit, listed, make, move, put, rich, stage, tell, write } from "./screen_stage.js";
import { nameSize } from "./screen_table.js";

// Eight places in two rows; nine are closer together.
const places = (count, long, apart) => Array.from({ length: count }, (_, place) => [908 + (place % long) * apart, 176 + Math.floor(place / long) * 272]);
const PLACES = places(8, 4, 252), CROWD = places(9, 5, 198);
// One code, the faces that have come, and what is played. ``hosts``: what stands under the code.
export function showLobby({ door, hosts, places, plan, differences, first, comparing, gameName, goal, characters }) {
  const root = make("layer"), poster = make("poster", `<img alt=""><div class="voice letters"></div><div class="at centre address"></div>`);
  poster.querySelector("img").src = door.picture;
  poster.querySelector(".letters").textContent = door.code;
  if (door.room) poster.append(make("at centre room", escape(tell("handhelds", { n: door.room }))));
  const typed = (link) => link.toLowerCase().replace(/^https?:\/\//, ""), most = door.room ? 1 : 2;
  const others = door.others.slice(0, most).map((each) => tell("orAt", { a: typed(each) })); // the host's terminal has all
  const lines = (door.link.includes("#") ? [tell("anyNetwork")] : [typed(door.link), tell("sameNetwork"), ...others]).map((each) => make("line", escape(each)));
  poster.querySelector(".address").append(...lines, make("hands", hosts));
  root.append(poster);
  stage.replaceChildren(root);
  for (const line of lines) fit(line, 740, 44, 40);
  write(root, "at voice headline", tell("scan"), { x: 920, y: 34 }, 940, 112);
  const guests = places.map((each, place) => each.name && { ...each, isFirst: place === first }).filter(Boolean);
  const seated = [...guests, ...plan.bots.map((kind) => ({ name: characters[kind] ?? tell("bot"), face: BOTS[kind] ?? "tin", here: true, isBot: true }))].slice(0, CROWD.length);
  const isCrowd = seated.length > PLACES.length;
  root.classList.toggle("crowd", isCrowd);
  const wakes = guests.filter((each) => each.here && !each.own).map((each) => each.name).join(", ");
  (isCrowd ? CROWD : PLACES).forEach(([x, y], place) => {
    const each = seated[place];
    const made = make(`guest${each && !each.here ? " away" : each && !each.own && !each.isBot ? " wakes" : ""}`, each ? `<div class="mat"></div><div class="face">${faceSvg(each.face || "cap", each.here ? (place % 3 ? "calm" : "grin") : "sleep", [0, .1])}</div><div class="name at">${escape(each.name)}</div>${each.isFirst ? `<div class="crown">${crown()}</div>` : ""}${each.handheld ? `<div class="with-board">${board()}</div>` : ""}` : `<div class="spot"></div>`, { x, y });
    root.append(made);
    if (!each) return;
    const name = fit(made.querySelector(".name"), 232, nameSize(each.name), 47);
    if (name.scrollWidth > name.clientWidth) name.classList.add("long");
  });
  root.append(make("rule", "", { y: 742 }));
  const isAgreed = differences.length > 0; // the goal of the game stands first, then what this table has agreed
  write(root, "at voice gold", gameName, { x: 920, y: isAgreed ? 750 : 766 }, 940, isAgreed ? 72 : 92);
  const news = comparing ? tell("comparing", { n: comparing.join(" ") }) : wakes ? tell("wakes", { A: wakes }) : "";
  const agreed = (most) => [isAgreed ? goal.replace(/\.$/, "") : goal, ...differences.slice(0, most), ...(most < differences.length ? [`… +${differences.length - most}`] : [])].join(" · ");
  const told = write(root, "at plain", news || agreed(differences.length), { x: 920, y: 880 }, 940, 62, 54);
  if (news) put(told, { w: 940, overflow: "hidden", "text-overflow": "ellipsis" });
  else if (isAgreed || told.scrollWidth > 950) put(told, { w: 950, size: 54, y: isAgreed ? 836 : 866 }).classList.add("long");
  for (let left = differences.length; told.scrollHeight > told.clientHeight + 9 && left > 0; told.textContent = agreed(left)) left--;
  const starter = places[first]?.name;
  const who = write(root, "at plain", starter ? tell("starts", { A: starter }) : tell("firstStarts"), { x: 920, y: isAgreed ? 1012 : 968, opacity: ".85" }, 940, 57, 54);
  put(who, { w: 960, overflow: "hidden", "text-overflow": "ellipsis" });
  announce(tell("scan"));
}

// The loser is the hero; crowns for all who lost least.
export function showEnd({ names, faceOf, losers, best, unit, clean, sounds }) {
  const root = make("layer");
  stage.replaceChildren(root);
  root.append(make("end-left"), make("end-right"));
  losers.slice(0, 2).forEach((seat, place) => {
    const at = losers.length > 1 ? { x: 120 + place * 480, y: 240, w: 330 } : { x: 295, y: 130, w: 470 };
    root.append(make("actor", faceSvg(faceOf(seat), "sad", [0, .4]), at));
  });
  [[150, 560, -6], [450, 606, 0], [740, 560, 7]].forEach(([x, y, turn], place) => {
    const glass = make("cup", mug(), { x, y, w: 215, rotate: `${turn}deg` });
    root.append(glass);
    move(glass, [{ transform: "translateY(420px)" }, { transform: "none" }], 500 + 120 * place, "pop");
  });
  const crowned = best.slice(0, 3), at = { 1: [[1330, 230, 320]], 2: [[1110, 330, 330], [1510, 330, 330]], 3: [[1350, 150, 290], [1150, 480, 240], [1590, 480, 240]] }[crowned.length] ?? [];
  crowned.forEach((seat, place) => {
    const [x, y, wide] = at[place], face = faceOf(seat), k = wide / 220;
    root.append(make("actor", faceSvg(face, place ? "grin" : "laugh", [0, 0]), { x, y, w: wide }));
    const hat = make("cup", crown(), { x: x + wide / 2 - wide * .24, y: y + (topOf(face) + 16) * k - wide * .31, w: wide * .48 });
    root.append(hat);
    move(hat, [{ transform: "translateY(-300px)" }, { transform: "none" }], 700, "pop");
  });
  const lost = { x: 40, w: 980, "text-align": "center" }, won = { x: 1080, w: 820, "text-align": "center" };
  const who = listed(losers.map((seat) => names[seat]));
  const pays = write(root, "at voice headline", tell(losers.length > 1 ? "loseMany" : "loses", { A: who }), { ...lost, y: 830 }, 980, 112);
  write(root, "at plain", tell("nextRound"), { ...lost, y: 970 }, 900, 70, 57);
  const crowns = best.length > 3 ? tell("many", { n: best.length }) : listed(best.map((seat) => names[seat]));
  const winners = write(root, "at voice headline", crowns, { ...won, y: 842 }, 800, 104, 44);
  const least = write(root, "at plain", tell(clean && unit === "match" ? "neverBurnt" : "lostLeast"), { ...won, y: 970 }, 800, 66, 56);
  announce(`${pays.textContent}. ${winners.textContent}: ${least.textContent}`);
  sounds.tuba();
}

// Three true lines about three people, and the evening's table.
export function showCard({ lines, tally, refused, matches, faces, sounds }) {
  const root = make("layer evening");
  stage.replaceChildren(root);
  write(root, "at voice headline", tell("evening"), { x: 70, y: 30, w: 1300, "text-align": "center" }, 1200, 124);
  lines.slice(0, 3).forEach(({ name, key, places }, index) => {
    const card = make("line-card", `<div class="face">${faceSvg(faces(name), ["smug", "think", "sad"][index], [.6, 0])}</div>`, { y: 196 + index * 268 });
    const own = Object.fromEntries(Object.entries(places).filter(([, said]) => said === name)), bold = (inside) => `<b>${inside}</b>`;
    const [one, two] = [rich(`card_${key}`, places, own, bold), rich(`card_${key}_more`, places)].map((html) => Object.assign(node("p"), { innerHTML: html }));
    put(one, { y: 26 });
    put(two, { y: 128, color: "var(--gold)" });
    card.append(one, two);
    root.append(card);
    fit(one, 1000, 76, 54);
    fit(two, 1000, 70, 54);
    move(card, [{ transform: "translateX(-120px)", opacity: 0 }, { transform: "none", opacity: 1 }], 600, "travel", { delay: 900 * index });
  });
  const rows = tally.map(({ name, crowns, lost }) => `<div><span>${escape(name)}</span>${crowns ? `<b>${crowns}</b>${crown()}` : ""}${lost ? `<b>${lost}</b>${mug()}` : ""}</div>`);
  const board = make("board", `<div class="gold"><span>${escape(tell(matches === 1 ? "oneMatch" : "matches", { n: matches }))}</span></div>${rows.join("")}`);
  root.append(board);
  for (const name of board.querySelectorAll("span")) fit(name, name.clientWidth, 54, 47);
  if (refused.length) {
    const line = make("at plain", escape(tell(refused.length > 1 ? "refuse" : "refuses", { A: listed(refused) })), { x: 1420, y: 930, color: "#f7d9a0" });
    root.append(line);
    put(line, { w: 456, "white-space": "normal", size: 54, y: 860 });
  }
  sounds.clink();
}

// Somebody who is to act cannot: who it is, and what to do. ``why``: "asleep", "off", or "left" for good.
export function sleeping(name, why) {
  const made = make("layer", why === "left" ? [] : make("cup", why === "off" ? board() : phone(), { x: 898, y: 312, w: 124 }));
  const [told, more] = { asleep: ["asleep", "touchIt"], off: ["off", "matchWaits"], left: ["leaves", "anew"] }[why];
  const line = make("at centre voice headline", escape(tell(told, { A: name })), { y: 570 });
  const hint = make("at centre plain", escape(tell(more)), { y: 724 });
  made.append(line, hint);
  return { made, fitted() { fit(line, 1200, 108); fit(hint, 1300, 72, 57); } };
}
