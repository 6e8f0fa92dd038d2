// The first texts: paste lines, drop a file, or add examples one by one. Also used to add more later.

import { teachMany } from "./actions.js";
import { button, debounce, h, show } from "./dom.js";
import { parseExamples } from "./files.js";
import { count, labelText, many } from "./format.js";
import { attempt, toast } from "./messages.js";
import { session } from "./session.js";
import { chips } from "./history.js";

const SAMPLE = [
  ["order", "Two loaves of rye and a poppy seed roll for Saturday, please"], ["order", "Can I get a birthday cake for twelve people on Friday?"], ["order", "Please put aside six croissants for tomorrow morning"],
  ["complaint", "The rolls this morning were burnt on the bottom"], ["complaint", "I waited twenty minutes and my cake was not ready"], ["complaint", "There was a hair in my sandwich"],
  ["question", "Are you open on Sundays?"], ["question", "Is the walnut bread free of milk?"], ["question", "Do you deliver to the old town?"],
];

export function firstRun(place) {
  show(place, new Examples().parts());
}

class Examples {
  constructor() {
    this.isFirst = session.isEmpty;
    this.field = h("textarea", { id: "examples", rows: 9, dir: "auto", spellcheck: "false", placeholder: "label ⇥ text, one a line", "aria-describedby": "examples-hint", oninput: debounce(() => this.draw(), 120), onkeydown: event => this.tab(event) });
    this.several = h("input", { type: "checkbox", checked: session.several, disabled: !this.isFirst, onchange: () => this.draw() });
    this.status = h("div", { class: "stack", role: "status" });
    this.go = button("Teach", () => this.teach(), { kind: "main" });
    this.text = h("textarea", { id: "one-text", rows: 3, dir: "auto" });
    this.label = h("input", { id: "one-label", type: "text", dir: "auto", list: "known-labels", autocomplete: "off" });
    this.source = null;
  }

  parts() {
    const file = h("input", { type: "file", id: "examples-file", class: "unseen", accept: ".tsv,.csv,.jsonl,.ndjson,.txt", onchange: () => this.take(file.files[0]) });
    const parts = [
      h("div", { class: "hero" },
        h("h1", {}, this.isFirst ? "Teach it your first texts" : "Add examples"),
        h("p", { class: "lead" }, this.isFirst ? "Paste a few examples with their labels. The model learns from the first one, and gets better with every correction." : "Paste examples with their labels; the model learns them at once.")),
      h("div", { class: "columns even" },
        h("section", { class: "card stack", "aria-labelledby": "paste-title" },
          h("h2", { id: "paste-title" }, "Paste lines"),
          h("p", { id: "examples-hint", class: "quiet" }, "Label, tab, text: as copied from a spreadsheet. CSV with the columns label and text, and JSON Lines, work as well."),
          h("label", { class: "unseen", for: "examples" }, "Examples, one a line"),
          this.field,
          this.isFirst && h("label", { class: "check" }, this.several, "A text can have several labels (separate them with commas)"),
          this.status,
          h("div", { class: "row wrap" }, this.go, file, h("label", { class: "button quiet", for: "examples-file" }, "Choose a file"), this.isFirst && button("Fill in a sample", () => this.sample(), { kind: "quiet" }))),
        h("section", { class: "card stack", "aria-labelledby": "one-title" },
          h("h2", { id: "one-title" }, "Or one by one"),
          h("form", { class: "stack", onsubmit: event => { event.preventDefault(); this.add(); } },
            h("label", { class: "field" }, h("span", {}, "Text"), this.text),
            h("label", { class: "field" }, h("span", {}, "Label"), this.label),
            h("datalist", { id: "known-labels" }, session.classes.slice(0, 200).map(one => h("option", { value: String(one.label) }))),
            h("div", { class: "row" }, h("button", { class: "button quiet" }, "Add to the list"))))),
    ];
    this.field.addEventListener("dragover", event => event.preventDefault());
    this.field.addEventListener("drop", event => { if (event.dataTransfer.files[0]) { event.preventDefault(); this.take(event.dataTransfer.files[0]); } });
    this.draw();
    return parts;
  }

  /** Tab writes a tab where the label ends, once; elsewhere it moves on, as always. */
  tab(event) {
    if (event.key !== "Tab" || event.shiftKey || event.altKey || event.ctrlKey) return;
    const { selectionStart, value } = this.field;
    const line = value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
    if (!line.trim() || line.includes("\t")) return;
    event.preventDefault();
    this.field.setRangeText("\t", selectionStart, this.field.selectionEnd, "end");
    this.draw();
  }

  sample() { this.field.value = SAMPLE.map(pair => pair.join("\t")).join("\n"); this.draw(); this.go.focus(); }

  take(file) {
    return file && attempt(async () => {
      this.field.value = await file.text();
      this.source = file.name;
      this.draw();
    });
  }

  add() {
    const text = this.text.value.replace(/[\t\r\n]+/g, " ").trim(), label = this.label.value.replace(/\t/g, " ").trim();
    if (!text || !label) { toast("Both are needed: a text and its label."); return; }
    this.field.value = `${this.field.value.trimEnd()}${this.field.value.trim() ? "\n" : ""}${label}\t${text}`;
    this.text.value = "";
    this.draw();
    this.text.focus();
  }

  /** Labels as they are sent: a list if a text can have several. */
  labels(label) {
    if (!this.several.checked) return Array.isArray(label) ? label[0] : label;
    return Array.isArray(label) ? label : String(label).split(",").map(one => one.trim()).filter(Boolean);
  }

  draw() {
    const { examples, others } = parseExamples(this.field.value);
    this.examples = examples;
    const sums = new Map();
    for (const [label] of examples) for (const one of [this.labels(label)].flat()) sums.set(labelText(one), (sums.get(labelText(one)) ?? 0) + 1);
    this.go.disabled = !examples.length;
    this.go.querySelector("span").textContent = examples.length ? `Teach ${many(examples.length, "example")}` : "Teach";
    const isOne = this.isFirst && sums.size === 1;
    const found = [...sums].slice(0, 12).map(([label, number]) => h("span", { class: "row tight" }, chips(label), h("span", { class: "quiet number" }, count(number))));
    show(
      this.status,
      examples.length > 0 && h("div", { class: "row wrap" }, found, sums.size > 12 && h("span", { class: "quiet" }, `and ${many(sums.size - 12, "more class")}`)),
      isOne && h("p", { class: "quiet" }, "One class so far. Add examples of a second one, so that there is something to tell apart."),
      others.length > 0 && h("p", { class: "warning", dir: "auto" }, `${many(others.length, "line")} without a label and a tab, left out: “${others[0].slice(0, 60)}”`),
    );
  }

  async teach() {
    if (!this.examples.length) return;
    this.go.disabled = true;
    const texts = this.examples.map(([, text]) => text), labels = this.examples.map(([label]) => this.labels(label));
    const answer = await teachMany(texts, labels, this.source, done => { this.go.querySelector("span").textContent = `${count(done)} taught…`; });
    if (answer) { this.field.value = ""; this.source = null; location.hash = "#/classify"; }
    this.draw();
  }
}
