// Choosing a class: a dialog with a combobox that filters, for three classes or for ten thousand.

import { button, h, icon, show } from "./dom.js";
import { open } from "./dialogs.js";
import { count, labelText } from "./format.js";
import { isKnown, labelOf, session } from "./session.js";

const MOST = 60;

/**
 * Choose one class, or type a new one. Resolves to {label}, {labels} for several, or null.
 * `several`: a set of labels. `first`: labels to list first. `mayBeNew`: whether a typed label is accepted. `all`: words of a first choice "no class".
 */
export function pickClass({ title = "Choose a class", several = false, chosen = [], first = [], mayBeNew = true, all = null } = {}) {
  return open((close, dialog) => new Picker(close, dialog, { title, several, chosen, first, mayBeNew, all }).parts(), "picker");
}

class Picker {
  constructor(close, dialog, options) {
    Object.assign(this, options, { close, place: 0, rows: [] });
    this.set = new Set([options.chosen].flat().filter(one => one !== null && one !== undefined));
    dialog.setAttribute("aria-label", options.title);
    this.list = h("ul", { id: "picker-list", role: "listbox", "aria-label": "Classes", "aria-multiselectable": this.several ? "true" : null });
    this.input = h("input", {
      type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": "picker-list", "aria-autocomplete": "list", autocomplete: "off", spellcheck: "false", dir: "auto",
      "aria-label": this.title, placeholder: this.mayBeNew ? "Type to filter, or a new class" : "Type to filter", autofocus: true,
      oninput: () => { this.place = 0; this.draw(); }, onkeydown: event => this.key(event),
    });
    this.chips = h("div", { class: "chips" });
    this.draw();
  }

  parts() {
    return [
      h("div", { class: "picker-head" }, icon("search"), this.input, button("", () => this.close(null), { kind: "bare", icon: "close", label: "Close" })),
      h("p", { class: "picker-title", dir: "auto" }, this.title),
      this.several && this.chips,
      this.list,
      this.several && h("footer", { class: "row end" }, button("Use these labels", () => this.finish(), { kind: "main" })),
    ].filter(Boolean);
  }

  found() {
    const typed = this.input.value.trim();
    const wanted = typed.toLocaleLowerCase();
    const ahead = new Map(this.first.map((label, place) => [String(label), place]));
    const rows = session.classes
      .filter(one => !wanted || labelText(one.label).toLocaleLowerCase().includes(wanted))
      .map(one => ({ ...one, rank: rankOf(labelText(one.label).toLocaleLowerCase(), wanted, ahead.get(String(one.label))) }))
      .sort((one, other) => one.rank - other.rank);
    const cut = rows.slice(0, MOST);
    if (this.all && !typed) cut.unshift({ label: null, words: this.all });
    if (this.mayBeNew && typed && !isKnown(typed)) cut.push({ label: typed, isNew: true });
    return [cut, rows.length - Math.min(rows.length, MOST)];
  }

  draw() {
    const [rows, more] = this.found();
    this.rows = rows;
    this.place = Math.max(0, Math.min(this.place, rows.length - 1));
    show(this.list, rows.map((row, place) => this.row(row, place)), more > 0 && h("li", { class: "quiet", role: "presentation" }, `${count(more)} more: type to filter`), !rows.length && h("li", { class: "quiet", role: "presentation" }, "No class has this name."));
    this.input.setAttribute("aria-activedescendant", rows.length ? `pick-${this.place}` : "");
    this.list.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
    if (this.several) show(this.chips, [...this.set].map(label => button(labelText(label), () => { this.toggle(label); }, { kind: "chip", icon: "close", label: `Remove ${labelText(label)}` })));
  }

  row(row, place) {
    const isIn = this.set.has(row.label);
    return h(
      "li",
      { id: `pick-${place}`, role: "option", "aria-selected": place === this.place ? "true" : "false", "aria-checked": this.several ? String(isIn) : null, class: isIn ? "in" : "", onclick: () => this.take(row) },
      row.isNew && h("span", { class: "new" }, "New class"),
      h("span", { class: "grow", dir: "auto" }, row.words ?? labelText(row.label)),
      isIn && icon("check"),
      row.documents !== null && row.documents !== undefined && h("span", { class: "quiet number" }, count(row.documents)),
    );
  }

  key(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
    if (event.key in steps) { event.preventDefault(); this.place += steps[event.key]; this.draw(); }
    if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      if (event.ctrlKey || (this.several && !this.input.value && this.set.size)) this.finish();
      else if (this.rows[this.place]) this.take(this.rows[this.place]);
    }
    if (event.key === "Backspace" && this.several && !this.input.value) this.toggle([...this.set].at(-1));
  }

  take(row) {
    if (!this.several) return this.close({ label: row.label === null ? null : row.isNew ? row.label : labelOf(String(row.label)) });
    this.input.value = "";
    this.toggle(row.label);
    return undefined;
  }

  toggle(label) {
    if (label === undefined) return;
    if (!this.set.delete(label)) this.set.add(label);
    this.draw();
    this.input.focus();
  }

  finish() { this.close({ labels: [...this.set] }); }
}

/** The best matches first: named first, then those that start with the typed text. */
function rankOf(text, wanted, ahead) {
  if (wanted) return text === wanted ? -2 : text.startsWith(wanted) ? -1 : 0;
  return ahead === undefined ? 1e6 : ahead;
}
