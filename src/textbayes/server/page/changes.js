// Changes: who changed what and when, newest first, with filters and undo.

import { button, debounce, h, icon, show } from "./dom.js";
import { openDocument } from "./documents.js";
import { labelText } from "./format.js";
import { changeRow } from "./history.js";
import { failed } from "./messages.js";
import { pickClass } from "./picker.js";
import { labelOf, session } from "./session.js";

const STEP = 50;

export function changes(place, { on, query }) {
  const view = new Changes(query);
  show(place, view.parts());
  on(session.events, "changed", () => view.load());
  view.load();
}

class Changes {
  constructor(query) {
    this.actor = query.actor ?? "";
    this.label = query.class === undefined ? null : labelOf(query.class);
    this.turn = 0;
    this.field = h("input", { type: "search", value: this.actor, placeholder: "By anyone", "aria-label": "Show only changes by this name", dir: "auto", oninput: () => { this.actor = this.field.value; this.wait(); } });
    this.filter = h("span", {});
    this.list = h("ol", { class: "list changes framed", "aria-live": "off" });
    this.more = h("div", { class: "row center" });
    this.wait = debounce(() => this.load(), 300);
  }

  parts() {
    return [h("h1", {}, "Changes"), h("div", { class: "row wrap filters" }, h("span", { class: "search grow" }, icon("person"), this.field), this.filter), this.list, this.more];
  }

  async load(before = null) {
    const turn = (this.turn += 1);
    this.drawFilter();
    try {
      const found = await session.model.get("changes", { actor: this.actor.trim(), class: this.label === null ? null : String(this.label), before, limit: STEP });
      if (turn === this.turn) this.draw(found, before !== null);
    } catch (failure) {
      if (turn === this.turn) { show(this.list, h("li", {}, failed(failure, () => this.load()))); show(this.more); }
    }
  }

  draw({ changes: found, next }, isMore) {
    const rows = found.map(one => changeRow(one, { openDocument }));
    if (isMore) this.list.append(...rows);
    else show(this.list, rows);
    const isFiltered = this.actor.trim() || this.label !== null;
    if (!found.length && !isMore) show(this.list, h("li", { class: "blank" }, h("p", { class: "quiet" }, isFiltered ? "No change matches. Names must be whole." : "Nothing was changed yet.")));
    show(this.more, next && button("Show older", () => this.load(next), { kind: "quiet" }));
  }

  drawFilter() {
    const words = this.label === null ? "All classes" : labelText(this.label);
    show(this.filter, button(words, () => this.pick(), { kind: `quiet filter ${this.label === null ? "" : "on"}`, icon: "down", label: `Filter by class: ${words}` }));
  }

  async pick() {
    const picked = await pickClass({ title: "Show only this class", mayBeNew: false, all: "All classes" });
    if (picked) { this.label = picked.label; this.load(); }
  }
}
