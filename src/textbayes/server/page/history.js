// One change as a row: who, when, what, and its undo. Shared by Changes and the drawer of a document.

import { undoChange } from "./actions.js";
import { button, h, icon } from "./dom.js";
import { ago, fullTime, labelText } from "./format.js";
import { session } from "./session.js";

const VERBS = { teach: "taught", relabel: "relabelled", forget: "forgot", erase: "erased", erased: "erased", undo: "undid", recipe: "chose a new recipe", file: "replaced the model file" };
const LASTING = new Set(["erase", "erased", "recipe", "file", "undo"]);

/** The labels of a text, as chips. */
export const chips = labels => (labels === null || labels === undefined ? h("span", { class: "chip none" }, "none") : [labels].flat().map(one => h("span", { class: "chip", dir: "auto" }, labelText(one))));

/** A time from now, with the full time as its title. */
export const when = time => h("time", { datetime: time, title: fullTime(time) }, ago(time));

/** The row of a change; `openDocument(id)` shows its document, `after` is called when it was undone;
 * `hasText`: whether to show the text. */
export function changeRow(change, { openDocument = null, after = () => {}, hasText = true } = {}) {
  const { version, kind, document: id, text, labels_before: before, labels_after: now, actor, time, source, undoes, undone_by: undoneBy } = change;
  const canUndo = session.isWritable && !LASTING.has(kind) && !undoneBy;
  const words = hasText && text && h("p", { class: "change-text", dir: "auto" }, text);
  const undo = canUndo && button("Undo", async () => { if (await undoChange(change)) after(); }, { kind: "quiet small", icon: "undo", label: `Undo change ${version}` });
  return h(
    "li",
    { class: `change ${undoneBy ? "undone" : ""}` },
    h("p", { class: "change-head" }, h("strong", { dir: "auto" }, actor), ` ${VERBS[kind] ?? kind}${undoes ? ` change ${undoes}` : ""} `, h("span", { class: "quiet" }, when(time), source ? h("span", { dir: "auto" }, ` · ${source}`) : "")),
    h("span", { class: "version number", title: `Version ${version}` }, `#${version}`),
    openDocument && id ? h("button", { type: "button", class: "plain", onclick: () => openDocument(id) }, words || h("p", { class: "quiet" }, id)) : words,
    h("div", { class: "row wrap change-foot" },
      (before !== null || now !== null) && h("span", { class: "row" }, chips(before), icon("arrow"), h("span", { class: "unseen" }, "to"), chips(now)),
      undoneBy ? h("span", { class: "quiet" }, `undone by #${undoneBy}`) : null,
      h("span", { class: "grow" }), undo),
  );
}
