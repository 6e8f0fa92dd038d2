// A place to drop or choose a file, and a preview of its columns and first rows.

import { h, icon, show } from "./dom.js";
import { preview } from "./files.js";
import { count, size } from "./format.js";
import { attempt } from "./messages.js";

const ROWS = 5;
const ACCEPT = ".csv,.tsv,.jsonl,.ndjson,.json,.txt,text/csv,text/plain,application/x-ndjson";

/** A drop zone; `take(file)` is called with the file. */
export function dropZone(words, take, { accept = ACCEPT, id = "file" } = {}) {
  const field = h("input", { type: "file", id, accept, class: "unseen", onchange: () => { if (field.files[0]) take(field.files[0]); field.value = ""; } });
  const zone = h("label", { class: "drop", for: id }, icon("file"), h("span", {}, h("strong", {}, words), h("br"), h("span", { class: "quiet" }, "Drop it here, or choose a file")));
  zone.addEventListener("dragover", event => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", event => {
    event.preventDefault();
    zone.classList.remove("over");
    const file = event.dataTransfer.files[0];
    if (file) take(file);
  });
  return h("div", { class: "drop-place" }, field, zone);
}

/** The preview of a file in a place: name, columns to choose the text from, first rows. Calls `ready(found)`. */
export const showPreview = (place, file, ready) => attempt(async () => {
  const found = await preview(file);
  const inner = h("div", { class: "stack" });
  const draw = () => show(inner, facts(found), chooser(found, draw), table(found));
  draw();
  show(place, inner);
  ready(found);
});

function facts(found) {
  const rows = found.isWhole ? `${count(found.rows.length)} rows` : `more than ${count(found.rows.length)} rows`;
  const kind = { csv: "CSV", jsonl: "JSON Lines", lines: "one text a line" }[found.kind];
  return h("p", { class: "row wrap" }, icon("file"), h("strong", { dir: "auto" }, found.name), h("span", { class: "quiet" }, `${kind} · ${rows} · ${size(found.size)}`));
}

function chooser(found, draw) {
  if (found.columns.length < 2) return null;
  const options = found.columns.map(name => h("option", { value: name, selected: name === found.column }, name));
  return h("label", { class: "field inline" }, h("span", {}, "Column with the texts"), h("select", { onchange: event => { found.column = found.columns[event.target.selectedIndex]; draw(); } }, options));
}

function table(found) {
  const cell = (value, name) => h("td", { dir: "auto", class: name === found.column ? "picked" : "" }, h("span", {}, (value ?? "").slice(0, 400)));
  const rows = found.rows.slice(0, ROWS).map(row => h("tr", {}, found.columns.map((name, place) => cell(row[place], name))));
  const head = h("tr", {}, found.columns.map(name => h("th", { scope: "col", dir: "auto", class: name === found.column ? "picked" : "" }, name)));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "First rows" }, h("table", { class: "rows" }, h("thead", {}, head), h("tbody", {}, rows)));
}
