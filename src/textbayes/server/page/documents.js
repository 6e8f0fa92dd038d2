// Documents: search, filter by class, relabel, forget, erase, and the history of each in a drawer.

import { erase, forget, relabel } from "./actions.js";
import { documentPath } from "./api.js";
import { confirm, drawer } from "./dialogs.js";
import { announce, button, debounce, h, icon, show } from "./dom.js";
import { count, fullTime, labelText, many, short } from "./format.js";
import { changeRow, chips, when } from "./history.js";
import { failed } from "./messages.js";
import { pickClass } from "./picker.js";
import { labelOf, session } from "./session.js";

const STEP = 50;

export function documents(place, { on, query }) {
  const view = new Documents(query);
  show(place, view.parts());
  on(session.events, "changed", () => view.load());
  view.load();
  if (query.id) openDocument(query.id);
}

class Documents {
  constructor(query) {
    this.search = query.search ?? "";
    this.label = query.class === undefined ? null : labelOf(query.class);
    this.turn = 0;
    this.field = h("input", { type: "search", value: this.search, placeholder: "Search in texts", "aria-label": "Search in texts", dir: "auto", oninput: () => { this.search = this.field.value; this.wait(); } });
    this.filter = h("span", {});
    this.status = h("p", { class: "quiet", role: "status" });
    this.list = h("ul", { class: "list framed" });
    this.more = h("div", { class: "row center" });
    this.wait = debounce(() => this.load(), 250);
    this.shown = STEP;
  }

  parts() {
    return [
      h("div", { class: "row wrap title-row" }, h("h1", {}, "Documents"), h("span", { class: "grow" }), session.isWritable && h("a", { class: "button quiet", href: "#/teach" }, icon("plus"), h("span", {}, "Add examples"))),
      h("div", { class: "row wrap filters", role: "search" }, h("span", { class: "search grow" }, icon("search"), this.field), this.filter),
      this.status,
      this.list,
      this.more,
    ];
  }

  async load(after = null) {
    const turn = (this.turn += 1);
    this.drawFilter();
    try {
      const asked = { search: this.search.trim(), class: this.label === null ? null : String(this.label), after, limit: after ? STEP : this.shown };
      const found = await session.model.get("documents", asked);
      if (turn === this.turn) this.draw(found, after !== null);
    } catch (failure) {
      if (turn === this.turn) { show(this.list, h("li", {}, failed(failure, () => this.load()))); show(this.more); }
    }
  }

  draw({ documents: found, next, total }, isMore) {
    const rows = found.map(one => this.row(one));
    if (isMore) this.list.append(...rows);
    else show(this.list, rows);
    this.shown = Math.min(1000, Math.max(STEP, this.list.children.length));
    const all = total ?? null;
    const isFiltered = this.search.trim() || this.label !== null;
    this.status.textContent = all === null ? `${many(this.list.children.length, "document")} shown` : `${many(all, "document")}${isFiltered ? " found" : ""}`;
    if (!found.length && !isMore) show(this.list, h("li", { class: "blank" }, h("p", { class: "quiet" }, isFiltered ? "No document matches." : "No document was taught over this server yet. What a model file had learned before is in the classes, not here.")));
    show(this.more, next && button("Show more", () => this.load(next), { kind: "quiet" }));
  }

  drawFilter() {
    const words = this.label === null ? "All classes" : labelText(this.label);
    show(this.filter, button(words, () => this.pick(), { kind: `quiet filter ${this.label === null ? "" : "on"}`, icon: "down", label: `Filter by class: ${words}` }));
  }

  async pick() {
    const picked = await pickClass({ title: "Show only this class", mayBeNew: false, all: "All classes" });
    if (picked) { this.label = picked.label; this.shown = STEP; this.load(); }
  }

  row(one) {
    const meta = [when(one.time), h("span", { dir: "auto" }, ` · ${one.actor}`), one.source ? h("span", { dir: "auto" }, ` · ${one.source}`) : null, one.weight !== 1 ? ` · weight ${count(one.weight)}` : null];
    return h(
      "li",
      { class: "document" },
      h("button", { type: "button", class: "plain grow", onclick: () => openDocument(one.id), "aria-label": `Open: ${short(one.text, 80)}` }, h("span", { class: "document-text", dir: "auto" }, one.text), h("span", { class: "quiet meta" }, meta)),
      session.isWritable
        ? h("button", { type: "button", class: "chip-button", "aria-label": `Relabel, now ${labelText(one.labels)}`, title: "Relabel", onclick: () => relabelByHand(one) }, chips(one.labels))
        : h("span", {}, chips(one.labels)),
      session.isWritable && button("", () => forget(one), { kind: "bare", icon: "trash", label: "Forget this document" }),
    );
  }
}

/** Ask for the right class of a document, and relabel it. */
export async function relabelByHand(one) {
  const picked = await pickClass({ title: `Relabel: ${short(one.text, 50)}`, several: session.several, chosen: session.several ? one.labels : [] });
  return picked && relabel(one, picked.labels ?? [picked.label]);
}

/** The drawer of a document: the whole text, what is known of it, its history. */
export function openDocument(id) {
  return drawer("Document", close => {
    const body = h("div", { class: "stack" }, h("p", { class: "quiet" }, "Loading…"));
    fillDrawer(body, id, close);
    return body;
  });
}

async function fillDrawer(body, id, close) {
  try {
    const one = await session.model.get(documentPath(id));
    show(body, facts(one, () => fillDrawer(body, id, close), close), h("h3", {}, "History"), h("ol", { class: "list changes" }, historyOf(one, () => fillDrawer(body, id, close))));
  } catch (failure) {
    if (failure.status !== 404) { show(body, failed(failure)); return; }
    const found = await session.model.get("changes", { document: id, limit: 100 }).catch(() => ({ changes: [] }));
    show(body, h("p", { class: "note" }, "The model does not know this document any more."), h("h3", {}, "History"), h("ol", { class: "list changes" }, found.changes.map(change => changeRow(change, { after: () => fillDrawer(body, id, close) }))));
  }
}

const historyOf = (one, after) => [...(one.history ?? [])].sort((first, second) => second.version - first.version).map(change => changeRow(change, { after, hasText: false }));

function facts(one, again, close) {
  const act = task => async () => { const answer = await task(); if (answer) again(); };
  const leave = task => async () => { if (await task()) close(); };
  return [
    h("div", { class: "row wrap" }, chips(one.labels)),
    h("p", { class: "full-text", dir: "auto", tabindex: "0" }, one.text),
    h("dl", { class: "facts" }, fact("Id", h("code", { dir: "auto" }, one.id)), fact("Taught by", h("span", { dir: "auto" }, one.actor)), fact("Time", fullTime(one.time)), one.source && fact("Source", h("span", { dir: "auto" }, one.source)), one.weight !== 1 && fact("Weight", count(one.weight)), fact("Version", count(one.version))),
    session.isWritable && h("div", { class: "row wrap" }, button("Relabel…", act(() => relabelByHand(one)), { kind: "main" }), button("Forget", leave(() => forget(one)), { kind: "quiet", icon: "trash" }), button("Erase…", leave(() => eraseByHand(one)), { kind: "quiet risky" })),
  ];
}

const fact = (name, value) => [h("dt", {}, name), h("dd", {}, value)];

/** Erasing cannot be undone, so it is asked for twice. */
async function eraseByHand(one) {
  const words = [
    h("blockquote", { dir: "auto" }, short(one.text, 200)),
    "The model forgets this document now. With the next snapshot its text also leaves the history, the search and all older versions of the model.",
    "Older versions that knew this text cannot be rebuilt any more. There is no undo. Copies and backups outside this server are not touched.",
  ];
  const isSure = await confirm("Erase this document for good?", words, "Erase", { danger: true, must: "I understand that this cannot be undone" });
  if (isSure) announce("Erasing");
  return isSure ? erase(one) : null;
}
