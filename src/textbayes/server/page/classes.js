// Classes: sizes, strongest terms, most confused pairs and quality.

import { qualityCharts } from "./chart.js";
import { drawer } from "./dialogs.js";
import { button, debounce, h, icon, show } from "./dom.js";
import { count, labelText, many, percent } from "./format.js";
import { failed } from "./messages.js";
import { session } from "./session.js";

const STEP = 40;
const TERMS = 8;
const PAIRS = 6;

export function classes(place, { on }) {
  const view = new Classes();
  show(place, view.parts());
  on(session.events, "changed", () => view.load());
  view.load();
}

class Classes {
  constructor() {
    this.shown = STEP;
    this.terms = new Map();
    this.quality = new Map();
    this.field = h("input", { type: "search", placeholder: "Filter classes", "aria-label": "Filter classes", dir: "auto", oninput: debounce(() => { this.shown = STEP; this.draw(); }, 150) });
    this.list = h("ul", { class: "list classes framed" });
    this.more = h("div", { class: "row center" });
    this.status = h("p", { class: "quiet", role: "status" });
    this.charts = h("section", { class: "card", "aria-labelledby": "class-quality" });
    this.pairs = h("section", { class: "card", "aria-labelledby": "pairs-title" });
  }

  parts() {
    return [
      h("h1", {}, "Classes"),
      h("div", { class: "columns" },
        h("div", { class: "stack" }, h("div", { class: "row wrap filters" }, h("span", { class: "search grow" }, icon("search"), this.field)), this.status, this.list, this.more),
        h("div", { class: "stack" }, this.pairs, this.charts)),
    ];
  }

  async load() {
    this.draw();
    const model = session.model;
    const [inspected, quality] = await Promise.all([
      model.get("inspect", { terms: TERMS }).catch(failure => ({ failure })),
      model.get("quality").catch(() => null),
    ]);
    for (const one of inspected.classes ?? []) this.terms.set(String(one.label), one.terms);
    for (const one of quality?.classes ?? []) this.quality.set(String(one.label), one);
    this.draw();
    this.drawPairs(inspected, quality);
    this.charts.hidden = !quality;
    if (quality) show(this.charts, h("h2", { id: "class-quality" }, "Quality"), heldOut(inspected), qualityCharts(quality));
  }

  draw() {
    const wanted = this.field.value.trim().toLocaleLowerCase();
    const found = session.classes.filter(one => labelText(one.label).toLocaleLowerCase().includes(wanted));
    const most = Math.max(1, ...session.classes.map(one => one.documents ?? 0));
    this.status.textContent = `${many(found.length, "class")}${wanted ? " found" : `, ${many(session.documents, "document")}`}`;
    show(this.list, found.slice(0, this.shown).map(one => this.row(one, most)));
    show(this.more, found.length > this.shown && button(`Show ${count(Math.min(STEP, found.length - this.shown))} more`, () => { this.shown += STEP; this.draw(); }, { kind: "quiet" }));
  }

  row({ label, documents }, most) {
    const fill = h("span", { class: "bar-fill" });
    fill.style.width = `${100 * (documents ?? 0) / most}%`;
    const terms = this.terms.get(String(label));
    const quality = this.quality.get(String(label));
    return h(
      "li",
      {},
      h("button", { type: "button", class: "class-row", onclick: () => openClass(label) },
        h("span", { class: "class-name", dir: "auto" }, labelText(label)),
        h("span", { class: "class-numbers quiet" }, quality && h("span", { title: "F1 in leave-one-out" }, `F1 ${percent(quality.f1, 0)}`), h("span", { class: "number" }, documents === null ? "" : many(documents, "document"))),
        h("span", { class: "bar-track", "aria-hidden": "true" }, fill),
        terms && h("span", { class: "terms" }, terms.slice(0, TERMS).map(([term]) => h("span", { class: "term", dir: "auto" }, term)))),
    );
  }

  drawPairs(inspected, quality) {
    const confusions = quality?.confusions ?? inspected.confusions;
    const title = h("h2", { id: "pairs-title" }, confusions ? "Most confused" : "Closest classes");
    if (inspected.failure && !confusions) { show(this.pairs, title, failed(inspected.failure, () => this.load())); return; }
    const pairs = confusions ?? eachOnce(inspected.closest ?? []);
    const words = confusions ? "Documents that the model without them takes for another class." : "Classes with the most similar words. 100 % is the average pair; a small number is close.";
    const row = one => h("li", {}, h("button", { type: "button", class: "pair", onclick: () => openPair(one.label, one.other) },
      h("span", { class: "grow", dir: "auto" }, labelText(one.label), icon("arrow"), h("span", { class: "unseen" }, confusions ? "taken for" : "close to"), labelText(one.other)),
      h("span", { class: "number quiet" }, confusions ? `${count(one.documents)} · ${percent(one.share, 0)}` : percent(one.share, 0))));
    show(this.pairs, title, h("p", { class: "quiet" }, pairs.length ? words : confusions ? "None: each document is predicted right without itself." : "There is one class only."), h("ul", { class: "list pairs" }, pairs.map(row)));
  }
}

/** Pairs of classes in any order, the closest first. */
function eachOnce(pairs) {
  const seen = new Set();
  return pairs.filter(({ label, other }) => {
    const key = JSON.stringify([String(label), String(other)].sort());
    return !seen.has(key) && seen.add(key);
  }).slice(0, PAIRS);
}

/** The score of the search that found the model, on documents that were held out. */
function heldOut({ leaderboard = null, metric = "" }) {
  const best = leaderboard?.find(one => one.chosen && Number.isFinite(one.score));
  if (!best) return null;
  const name = { macro_f1: "macro F1", micro_f1: "micro F1" }[metric] ?? metric;
  const range = Number.isFinite(best.low) ? `, 95 % interval ${percent(best.low, 0)} to ${percent(best.high, 0)}` : "";
  return h("p", { class: "quiet" }, `Held-out ${name} ${percent(best.score, 0)}${range}, measured on ${many(best.documents, "document")} by the search that chose the model.`);
}

/** A class: more terms, and its documents. */
function openClass(label) {
  return drawer(labelText(label), close => {
    const body = h("div", { class: "stack" }, h("p", { class: "quiet" }, "Loading…"));
    fill(body, async () => {
      const found = await session.model.get("inspect", { class: String(label), terms: 40 });
      return [
        h("p", {}, many(found.documents, "document")),
        h("div", { class: "row wrap" }, h("a", { class: "button main", href: `#/documents?class=${encodeURIComponent(String(label))}`, onclick: () => close(null) }, "Show its documents"), h("a", { class: "button quiet", href: `#/changes?class=${encodeURIComponent(String(label))}`, onclick: () => close(null) }, "Show its changes")),
        h("h3", {}, "Strongest terms"),
        termTable(found.terms, "Evidence for the class over the average class, per hundred words"),
      ];
    });
    return body;
  });
}

/** Two classes: the terms that separate them. */
function openPair(label, other) {
  return drawer(`${labelText(label)} and ${labelText(other)}`, () => {
    const body = h("div", { class: "stack" }, h("p", { class: "quiet" }, "Loading…"));
    fill(body, async () => {
      const found = await session.model.get("inspect", { between: [String(label), String(other)], terms: 30 });
      return [h("p", { class: "quiet", dir: "auto" }, `Terms that separate them: + speaks for ${labelText(label)}, − for ${labelText(other)}.`), termTable(found.terms, "Evidence, per hundred words")];
    });
    return body;
  });
}

async function fill(body, build) {
  try {
    show(body, await build());
  } catch (failure) {
    show(body, failed(failure));
  }
}

function termTable(terms, caption) {
  const most = Math.max(1e-9, ...terms.map(([, value]) => Math.abs(value ?? 0)));
  const rows = terms.map(([term, value]) => {
    const bar = h("span", { class: value >= 0 ? "for" : "against" });
    bar.style.width = `${50 * Math.abs(value ?? 0) / most}%`;
    return h("tr", {}, h("th", { scope: "row", dir: "auto" }, term), h("td", { class: "scale", "aria-hidden": "true" }, bar), h("td", { class: "number" }, value === null ? "∞" : `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(1)}`));
  });
  return h("table", { class: "evidence" }, h("caption", { class: "quiet" }, caption), h("tbody", {}, rows));
}
