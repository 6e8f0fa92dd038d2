// The words that decided, marked in the text: evidence for one class over another.

import { h } from "./dom.js";
import { labelKey, labelText } from "./format.js";

const LEVELS = 4;
const isCharacters = token => token.term.startsWith("‹");

/** Evidence of a token for a class over another (null: over nothing). An infinite contribution comes as null. */
function lead(token, label, against) {
  const own = token.contributions[labelKey(label)];
  const other = against === null ? 0 : token.contributions[labelKey(against)];
  if (own === undefined || other === undefined || (own === null && other === null)) return 0;
  return (own ?? -20) - (other ?? -20);
}

/**
 * The words of a text with their evidence: [{start, end, value}], positions in code points, in order.
 * Tokens may overlap (pairs of words, characters inside words): their evidence is shared out by characters.
 */
export function wordsOf(explanation, label, against) {
  const length = [...explanation.text].length;
  const values = new Float64Array(length);
  for (const token of explanation.tokens) {
    const part = lead(token, label, against) / Math.max(1, token.end - token.start);
    if (part) for (let place = token.start; place < Math.min(token.end, length); place += 1) values[place] += part;
  }
  const words = [];
  let end = 0;
  const plain = explanation.tokens.filter(token => !isCharacters(token) && token.end > token.start).sort((one, other) => one.start - other.start || one.end - other.end);
  for (const token of plain.length ? plain : runs(explanation.text)) {
    if (token.start < end) continue;
    end = token.end;
    let value = 0;
    for (let place = token.start; place < end; place += 1) value += values[place];
    words.push({ start: token.start, end, value, known: token.known ?? true });
  }
  return words;
}

/** Runs without spaces, for models that count characters only. */
function runs(text) {
  const found = [];
  let start = null;
  [...text, " "].forEach((character, place) => {
    if (/\s/u.test(character)) { if (start !== null) found.push({ start, end: place }); start = null; }
    else start ??= place;
  });
  return found;
}

/** The text with its words marked. A mark says its evidence in words as well, not by colour alone. */
export function markedText(explanation, words, label, against) {
  const characters = [...explanation.text];
  const most = Math.max(1e-9, ...words.map(word => Math.abs(word.value)));
  const shown = h("p", { class: "marked", dir: "auto" });
  let place = 0;
  for (const word of words) {
    const level = Math.ceil(LEVELS * Math.abs(word.value) / most - 0.35);
    if (level < 1) continue;
    shown.append(characters.slice(place, word.start).join(""));
    shown.append(mark(characters.slice(word.start, word.end).join(""), word.value, Math.min(level, LEVELS), label, against));
    place = word.end;
  }
  shown.append(characters.slice(place).join(""));
  return shown;
}

function mark(text, value, level, label, against) {
  const side = value > 0 ? "for" : "against";
  const winner = value > 0 ? labelText(label) : against === null ? `not ${labelText(label)}` : labelText(against);
  return h("mark", { class: `${side} level-${level}`, title: `${value > 0 ? "+" : "−"}${Math.abs(value).toFixed(2)} for ${winner}` }, text);
}

/** What the marks mean. */
export function legend(label, against) {
  const other = against === null ? `against ${labelText(label)}` : `for ${labelText(against)}`;
  return h("p", { class: "legend", dir: "auto" }, h("span", {}, h("mark", { class: "for level-3" }, "solid line"), " for ", labelText(label)), h("span", {}, h("mark", { class: "against level-3" }, "dashed line"), ` ${other}`));
}

/** The strongest words as a list of numbers, for those who do not see the marks, and to compare. */
export function strongest(explanation, words, label, against, most = 8) {
  const characters = [...explanation.text];
  const sums = new Map();
  for (const word of words) {
    const text = characters.slice(word.start, word.end).join("").toLocaleLowerCase();
    sums.set(text, (sums.get(text) ?? 0) + word.value);
  }
  const ranked = [...sums].filter(([, value]) => Math.abs(value) > 1e-6).sort((one, other) => Math.abs(other[1]) - Math.abs(one[1])).slice(0, most);
  if (!ranked.length) return h("p", { class: "quiet" }, "No word of this text is known to the model.");
  const top = Math.abs(ranked[0][1]);
  const rows = ranked.map(([text, value]) => {
    const fill = h("span", { class: value > 0 ? "for" : "against" });
    fill.style.width = `${50 * Math.abs(value) / top}%`;
    return h("tr", {}, h("th", { scope: "row", dir: "auto" }, text), h("td", { class: "scale", "aria-hidden": "true" }, fill), h("td", { class: "number" }, `${value > 0 ? "+" : "−"}${Math.abs(value).toFixed(2)}`));
  });
  const caption = `Evidence for ${labelText(label)}${against === null ? "" : ` over ${labelText(against)}`}, word by word`;
  return h("table", { class: "evidence" }, h("caption", { class: "unseen", dir: "auto" }, caption), h("tbody", {}, rows));
}
