"use strict";

// Words of a question that say nothing of what is sought, and words for a false statement.
const IDLE = new Set("a about all an and any are by can claim claims do does every for from give has have how i in input inputs is it its me my of on one or please say see shape show so statement statements tell text that the theirs them theorems there these they this those to was we were what when where which who why will with".split(" "));
const WRONG = new Set("wrong false error errors mistake mistakes counterexample counterexamples counter-example refuted incorrect fails".split(" "));
// Words that ask for a part of a page, with where it is there and which statements have it.
const PARTS = [
  { words: ["picture", "pictures", "plot", "drawing", "draw"], anchor: "#pictures", has: (known) => known.pictures > 0 },
  { words: ["hand", "calculate", "arithmetic", "calculation"], anchor: "#by-hand", has: (known) => known.hand, drop: ["check", "checked"] },
  { words: ["proved", "proof", "prove", "proven"], anchor: "#conclusions", has: (known) => known["proved-sizes"].length > 0 },
  { words: ["erratum", "errata", "correction", "corrigendum"], erratum: true, has: (known) => known.erratum !== "" },
  { words: ["cite", "citation", "bibtex"], anchor: "#cite", has: () => true },
];
const COVERED = new Set(["checked", "covered", "coverage", "verified", "missing"]);
const SAME = { sink: ["sink", "sinks"], cluster: ["cluster", "clusters"], clusters: ["cluster"], leader: ["leader", "leading"], oscillates: ["cycle", "fro"], oscillate: ["cycle", "oscillat"], oscillation: ["cycle", "oscillat"], cycles: ["cycle"], tie: ["tie", "equal"], rate: ["rate", "speed", "decay"], polarize: ["polari"], polarise: ["polari"] };
// A number such as 5.4 or 3.2(b), and the word before it if there is one: sought as a whole, not as a part of 15.4 or 5.41.
const PLACE = /(?:\b[a-z]+\.? )?(?<![\w.^-])[a-z]?\.?\d+(?:\.\d+)*(?:\([a-z]\))?(?![\w-]|\.\d)/g;

// What a question as it is typed asks for: words, numbers of statements, a part of the page, and whether only false ones are meant.
function understood(text) {
  const asked = text.toLowerCase().replace(/[?!,;"']/g, " ").replace(/\.(?=\s|$)/g, " ").replace(/\s+/g, " ").trim();
  const numbers = asked.match(PLACE) || [];
  const places = numbers.map((number) => {
    const named = number.replace(/^(\S+) /, (whole, word) => (IDLE.has(word) || PARTS.some((one) => one.words.includes(word)) ? "" : whole));
    return new RegExp(`(?<![\\w.])${named.replace(/[.()]/g, "\\$&")}(?!\\w|\\.\\d)`);
  });
  const spoken = asked.split(" ");
  const part = PARTS.find((one) => one.words.some((word) => spoken.includes(word)));
  let words = asked.replace(PLACE, " ").split(" ").filter((word) => word && !IDLE.has(word));
  if (part) words = words.filter((word) => !part.words.includes(word) && !(part.drop || []).includes(word));
  const covered = !part && words.some((word) => COVERED.has(word));
  const wrong = words.some((word) => WRONG.has(word));
  words = words.filter((word) => !WRONG.has(word) && !COVERED.has(word));
  return { places, words, wrong, part, covered, numbered: places.length > 0 };
}

// The index: filters and search. What is searched stands in a script beside the page; nothing is loaded from elsewhere.
function setUpIndex() {
  const form = document.getElementById("filters");
  if (!form) return;
  const rows = [...document.querySelectorAll(".group li")];
  const homes = rows.map((row) => row.parentElement);
  const search = document.getElementById("search");
  const selects = [...form.querySelectorAll("select")];
  const count = document.getElementById("count");
  const nothing = document.getElementById("nothing");
  const summary = document.getElementById("summary");
  const found = document.getElementById("found");
  const answer = document.getElementById("answer");

  function isShown(known, question) {
    const fits = selects.every((select) => !select.value || [known[select.dataset.filter]].flat().includes(select.value));
    // Explanations mention other theorems: a number is sought where a statement is printed alone.
    const says = (word) => (SAME[word] || [word]).some((one) => known.search.includes(one) || (!question.numbered && known.explanation.includes(one)));
    const isWrong = !question.wrong || known.standing.startsWith("false");
    const hasPart = !question.part || question.part.has(known);
    return fits && isWrong && hasPart && question.words.every(says) && question.places.every((place) => place.test(known.search));
  }

  // First what is printed under the number that was asked for, then what is false (of proofs: what is not), then the papers' own words, then the gravest.
  function rank(known, question) {
    const origin = ["printed", "reported", "carried over", "ours"].indexOf(known.origin);
    const isPlace = question.places.length > 0 && question.places.every((place) => place.test(known.where));
    const isProof = question.part && question.part.anchor === "#conclusions";  // who asks what is proved does not ask what is false
    return (isPlace ? 0 : 100) + (known.standing.startsWith("false") !== Boolean(isProof) ? 0 : 10) + origin + known.severity / 100;
  }

  // A row among those found: with its statement, and a link to the part of its page that was asked for.
  function fill(row, known, question) {
    if (!row.querySelector(".statement")) {
      row.insertAdjacentHTML("beforeend", `<div class="statement">${known.statement}</div>${known.note ? `<div class="wrong">${known.note}</div>` : ""}`);
    }
    const link = row.querySelector("a");
    row.dataset.href ??= link.getAttribute("href");
    const part = question.part;
    link.setAttribute("href", part && part.erratum ? known.erratum : row.dataset.href + ((part && part.anchor) || ""));
  }

  function apply() {
    const question = understood(search.value);
    const isAsked = search.value.trim() !== "" || selects.some((select) => select.value);
    const about = question.covered && !question.numbered && !question.words.length;
    const fitting = !isAsked || about ? [] : rows.filter((row) => isShown(SEARCH[row.id], question));
    if (search.value.trim()) fitting.sort((a, b) => rank(SEARCH[a.id], question) - rank(SEARCH[b.id], question));
    rows.forEach((row, k) => homes[k].append(row));  // back to their places, in their order
    for (const row of fitting) fill(row, SEARCH[row.id], question);
    found.append(...fitting);
    summary.hidden = isAsked && !about;
    found.hidden = !isAsked || about;
    answer.hidden = !about;
    count.hidden = !isAsked || about;
    count.textContent = `${fitting.length} of ${rows.length} statements`;
    nothing.hidden = !isAsked || about || fitting.length > 0;
    const state = new URLSearchParams();
    if (search.value) state.set("search", search.value);
    for (const select of selects) if (select.value) state.set(select.dataset.filter, select.value);
    history.replaceState(null, "", state.size ? `#${state}` : location.pathname + location.search);
  }

  function recall() {
    const state = new URLSearchParams(location.hash.slice(1));
    search.value = state.get("search") || "";
    for (const select of selects) {
      const value = state.get(select.dataset.filter) || "";
      select.value = [...select.options].some((option) => option.value === value) ? value : "";
    }
  }

  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  document.getElementById("again").addEventListener("click", () => { form.reset(); });
  if (location.hash.includes("=")) recall();
  apply();
}

// Pictures of several frames: a slider, and buttons that step and play.
function setUpStepper(figure) {
  const stepper = figure.querySelector(".stepper");
  if (!stepper) return;
  const frames = [...figure.querySelectorAll("svg .frame")];
  const captions = [...figure.querySelectorAll(".captions li")].map((item) => item.textContent);
  const told = stepper.querySelector(".frame-caption");
  const [back, on] = stepper.querySelectorAll("[data-step]");
  const play = stepper.querySelector("[data-play]");
  const slider = stepper.querySelector("[data-at]");
  let at = 0;
  let timer = null;

  function show(k) {
    at = Math.max(0, Math.min(frames.length - 1, k));
    frames.forEach((frame, j) => { frame.style.display = j === at ? "" : "none"; });
    told.textContent = captions[at];
    slider.value = at;
    slider.setAttribute("aria-valuetext", captions[at]);
    back.disabled = at === 0;
    on.disabled = at === frames.length - 1;
    figure.dataset.frame = at;
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = "play";
  }

  for (const button of [back, on]) button.addEventListener("click", () => { stop(); show(at + Number(button.dataset.step)); });
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  play.addEventListener("click", () => {
    if (timer) return stop();
    play.textContent = "stop";
    if (at === frames.length - 1) show(0);
    timer = setInterval(() => { if (at === frames.length - 1) stop(); else show(at + 1); }, 900);
  });
  show(0);
}

// Scenes in space: turned by dragging or by the arrow keys, from the coordinates kept in data-p.
function setUpSpace(canvas) {
  const svg = canvas.querySelector("svg.spatial");
  if (!svg) return;
  const [cx, cy, cz, scale, left, top] = svg.dataset.space.split(",").map(Number);
  const parts = [...svg.querySelectorAll("[data-p]")].map((element) => ({
    element,
    points: element.dataset.p.split(" ").map((point) => point.split(",").map(Number)),
  }));
  let turn = 0.6;
  let tilt = 0.42;

  function project([x, y, z]) {
    const [px, py, pz] = [x - cx, y - cy, z - cz];
    const along = px * Math.cos(turn) - py * Math.sin(turn);
    const depth = px * Math.sin(turn) + py * Math.cos(turn);
    return [left + scale * along, top - scale * (pz * Math.cos(tilt) + depth * Math.sin(tilt))];
  }

  function draw() {
    for (const { element, points } of parts) {
      const places = points.map(project);
      const [x, y] = places[0];
      if (element.tagName === "circle") { element.setAttribute("cx", x.toFixed(1)); element.setAttribute("cy", y.toFixed(1)); }
      else if (element.tagName === "text") { element.setAttribute("x", (x + 7).toFixed(1)); element.setAttribute("y", (y - 6).toFixed(1)); }
      else if (element.tagName === "g") element.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      else element.setAttribute("points", places.map((place) => place.map((value) => value.toFixed(1)).join(",")).join(" "));
    }
  }

  function move(across, up) {
    turn += across;
    tilt = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, tilt + up));
    draw();
  }

  let held = null;
  canvas.addEventListener("pointerdown", (event) => { held = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) return;
    move((event.clientX - held[0]) / 120, (event.clientY - held[1]) / 120);
    held = [event.clientX, event.clientY];
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => { held = null; });
  const keys = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
  canvas.addEventListener("keydown", (event) => {
    if (!(event.key in keys)) return;
    event.preventDefault();
    move(...keys[event.key]);
  });
}

function setUpCopying() {
  for (const button of document.querySelectorAll("button.copy")) {
    button.addEventListener("click", async () => {
      const text = button.parentElement.querySelector("code").textContent;
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "copied";
      } catch {
        getSelection().selectAllChildren(button.parentElement.querySelector("code"));
        button.textContent = "selected";
      }
      setTimeout(() => { button.textContent = "copy"; }, 1500);
    });
  }
}

// Symbols in statements: pointing at one, tapping it or focusing it tells what it means, from the list that stands below.
function setUpSymbols() {
  const entries = new Map([...document.querySelectorAll("dl.symbols dd[id^=of-symbol-]")].map((told) => [told.id.slice(10), told]));
  if (!entries.size) return;
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  document.body.append(tip);
  let leaving = null;

  function show(symbol, told) {
    clearTimeout(leaving);
    const name = told.previousElementSibling.cloneNode(true);
    const meaning = document.createElement("span");
    meaning.innerHTML = told.innerHTML;
    for (const link of name.querySelectorAll("a")) link.tabIndex = -1;
    tip.replaceChildren(...name.childNodes, " ", meaning);
    tip.hidden = false;
    const place = symbol.getBoundingClientRect();
    const left = Math.min(place.left, document.documentElement.clientWidth - tip.offsetWidth - 8);
    tip.style.left = `${Math.max(8, left) + scrollX}px`;
    tip.style.top = `${place.bottom + 6 + scrollY}px`;
  }

  const leave = () => { clearTimeout(leaving); leaving = setTimeout(() => { tip.hidden = true; }, 250); };
  tip.addEventListener("pointerenter", () => clearTimeout(leaving));
  tip.addEventListener("pointerleave", leave);
  addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });
  const met = new Set();
  for (const symbol of document.querySelectorAll(".sym")) {
    const number = symbol.getAttribute("data-symbol");
    const told = entries.get(number);
    if (!told) continue;
    symbol.classList.add("told");
    if (!met.has(number)) {
      met.add(number);  // the first of each is reached by the keyboard
      symbol.setAttribute("tabindex", "0");
      symbol.setAttribute("aria-describedby", told.id);
    }
    for (const name of ["pointerenter", "focus", "click"]) symbol.addEventListener(name, () => show(symbol, told));
    for (const name of ["pointerleave", "blur"]) symbol.addEventListener(name, leave);
  }
}

// A link to a part that is folded opens it.
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
  if (target) target.scrollIntoView();
}

setUpIndex();
document.querySelectorAll("figure.picture").forEach(setUpStepper);
document.querySelectorAll(".canvas").forEach(setUpSpace);
setUpCopying();
setUpSymbols();
addEventListener("hashchange", openTarget);
openTarget();
