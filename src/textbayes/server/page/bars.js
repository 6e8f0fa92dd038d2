// Classes as rows with bars: each row is a button that says "this is the right class".

import { h, icon } from "./dom.js";
import { labelText, percent } from "./format.js";

/**
 * Rows of classes. `predictions` are {label, probability}; `before` maps labels to earlier probabilities;
 * `choose(label)` is called on a click; `chosen` are labels that are set; keys 1–9 are shown if `keys`.
 */
export function classRows(predictions, { choose = null, before = null, chosen = null, best = null, keys = true, several = false } = {}) {
  return h("ol", { class: `bars ${choose ? "" : "keyless"}` }, predictions.map((one, place) => h("li", {}, row(one, place, { choose, before, chosen, best, keys, several }))));
}

function row({ label, probability }, place, { choose, before, chosen, best, keys, several }) {
  const share = probability ?? 0;
  const fill = h("span", { class: "bar-fill" });
  const start = before?.get(String(label));
  fill.style.width = `${100 * (start ?? share)}%`;
  if (start !== undefined) requestAnimationFrame(() => requestAnimationFrame(() => { fill.style.width = `${100 * share}%`; }));
  const isChosen = chosen?.has(label) ?? false;
  const isBest = best === null ? place === 0 : String(best) === String(label);
  const words = [
    h("span", { class: "bar-label", dir: "auto" }, breakable(labelText(label))),
    delta(start, probability),
    h("span", { class: "bar-number number" }, probability === null || probability === undefined ? "" : percent(probability)),
    h("span", { class: "bar-track", "aria-hidden": "true" }, fill),
  ];
  const kind = `bar ${isBest ? "best" : ""} ${isChosen ? "chosen" : ""}`;
  if (!choose) return h("div", { class: kind }, h("span", { class: "bar-key" }), words);
  const key = keys && place < 9 ? String(place + 1) : null;
  const mark = isChosen ? icon("check") : key && h("kbd", { "aria-hidden": "true" }, key);
  return h(
    "button",
    { type: "button", class: kind, "aria-pressed": several ? String(isChosen) : null, "aria-keyshortcuts": key, "data-label": String(label), onclick: () => choose(label) },
    h("span", { class: "bar-key" }, mark),
    words,
  );
}

/** A label that is too long for its line breaks after a mark in it, rather than within a word. */
const breakable = words => words.split(/(?<=[._/:-])/u).flatMap((part, place) => (place ? [h("wbr"), part] : [part]));

/** How much a probability changed, shown after a change: "+12.3" */
function delta(start, now) {
  if (start === undefined || now === null || now === undefined) return null;
  const points = 100 * (now - start);
  if (Math.abs(points) < 0.05) return null;
  const words = `${points > 0 ? "+" : "−"}${Math.abs(points).toFixed(1)}`;
  return h("span", { class: `delta ${points > 0 ? "up" : "down"}` }, words, h("span", { class: "unseen" }, " points"));
}
