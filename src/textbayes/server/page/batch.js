// Batch: drop a file, look at it, choose the column, download the predictions.

import { Failure } from "./api.js";
import { button, h, show } from "./dom.js";
import { dropZone, showPreview } from "./dropping.js";
import { parseCsv, parseJsonLines, typeOf } from "./files.js";
import { count, labelText, many, percent, size } from "./format.js";
import { classRows } from "./bars.js";
import { failed, toast } from "./messages.js";
import { session } from "./session.js";

/** Up to this size the answer is read for a summary. */
const SUMMED = 30_000_000;

export function batch(place, { signal }) {
  show(place, new Batch(signal).parts());
}

class Batch {
  constructor(signal) {
    this.left = signal;
    this.preview = h("div", { class: "stack" });
    this.result = h("section", { class: "stack", "aria-live": "polite" });
    this.url = null;
    signal.addEventListener("abort", () => { this.stop?.abort(); this.release(); });
  }

  parts() {
    return [
      h("h1", {}, "Batch"),
      h("p", { class: "lead quiet" }, "Classify a whole file. You get the same rows back, with the columns label and probability."),
      h("div", { class: "stack" }, h("div", { class: "card stack" }, dropZone("CSV, JSON Lines or one text a line", file => this.take(file), { id: "batch-file" }), this.preview), this.result),
    ];
  }

  take(file) {
    this.stop?.abort();
    show(this.result);
    showPreview(this.preview, file, found => {
      const top = h("select", {}, [1, 2, 3, 5].map(number => h("option", { value: number }, number === 1 ? "The best class" : `The best ${number} classes`)));
      const go = button("Classify the file", () => this.run(found, Number(top.value)), { kind: "main" });
      go.disabled = !found.rows.length;
      this.preview.append(h("div", { class: "row wrap" }, h("label", { class: "field inline" }, h("span", {}, "Answer with"), top), h("span", { class: "grow" }), go));
    });
  }

  async run(found, top) {
    this.stop?.abort();
    const stop = (this.stop = new AbortController());
    const words = h("span", {}, "Sending…");
    show(this.result, h("div", { class: "card row wrap" }, h("progress", { "aria-label": "Classifying" }), words, h("span", { class: "grow" }), button("Cancel", () => stop.abort(), { kind: "quiet" })));
    try {
      const [body, kind, column] = await content(found);
      const query = { column, format: kind, ...(top > 1 ? { top } : {}) };
      const reply = await session.model.stream("predict/file", body, typeOf(kind), query, stop.signal);
      const parts = [];
      let received = 0;
      for (const reader = reply.body.getReader(); ;) {
        const { done, value } = await reader.read().catch(() => { throw new Failure(0, { code: "broken-off", what: "The answer broke off.", todo: "Try again, or send a smaller file." }); });
        if (done) break;
        parts.push(value);
        received += value.length;
        words.textContent = `${size(received)} received`;
      }
      await this.finish(new Blob(parts, { type: typeOf(kind) }), found, kind);
    } catch (failure) {
      if (this.left.aborted) return;
      show(this.result);
      if (stop.signal.aborted) toast("Cancelled.");
      else show(this.result, failed(failure, () => this.run(found, top)));
    }
  }

  async finish(blob, found, kind) {
    this.release();
    this.url = URL.createObjectURL(blob);
    const name = `${found.name.replace(/\.[^.]*$/, "")}.predictions.${kind === "csv" ? "csv" : "jsonl"}`;
    const link = h("a", { class: "button main", href: this.url, download: name }, "Download the predictions");
    const rows = blob.size <= SUMMED ? read(await blob.text(), kind) : null;
    show(this.result, h("div", { class: "card stack" }, h("div", { class: "row wrap" }, h("h2", {}, rows ? `${many(rows.length, "text")} classified` : "Done"), h("span", { class: "grow" }), link), h("p", { class: "quiet", dir: "auto" }, `${name}, ${size(blob.size)}`), rows && summary(rows)));
    link.focus();
  }

  release() { if (this.url) URL.revokeObjectURL(this.url); this.url = null; }
}

/** The body to send: plain lines are sent as JSON Lines. */
async function content(found) {
  if (found.kind !== "lines") return [found.file, found.kind, found.column];
  const lines = (await found.file.text()).replace(/^\ufeff/, "").split(/\r?\n/).filter(line => line.trim());
  return [lines.map(text => JSON.stringify({ text })).join("\n"), "jsonl", "text"];
}

/** The labels and probabilities of the answer. */
function read(text, kind) {
  if (kind === "jsonl") return parseJsonLines(text).map(one => ({ label: one.label ?? one.labels, probability: one.probability }));
  const [head = [], ...rows] = parseCsv(text.replace(/^\ufeff/, ""));
  const label = head.indexOf("label"), labels = head.indexOf("labels"), probability = head.indexOf("probability");
  return rows.map(row => ({ label: label < 0 ? parseJsonLines(row[labels] ?? "")[0] : row[label], probability: Number(row[probability]) }));
}

/** How often each class was predicted. */
function summary(rows) {
  const sums = new Map();
  for (const { label } of rows) for (const one of [label].flat()) sums.set(labelText(one), (sums.get(labelText(one)) ?? 0) + 1);
  const ranked = [...sums].sort((one, other) => other[1] - one[1]);
  const shares = ranked.slice(0, 8).map(([label, number]) => ({ label: `${label} (${count(number)})`, probability: number / rows.length }));
  const isMeasured = rows.some(one => Number.isFinite(one.probability));
  const sure = rows.filter(one => one.probability >= 0.9).length;
  const more = ranked.length > 8 ? ` ${many(ranked.length - 8, "more class")} in the file.` : "";
  return [classRows(shares, { keys: false, best: "" }), isMeasured && h("p", { class: "quiet" }, `${percent(sure / rows.length, 0)} of the texts are predicted with a probability of 90 % or more.${more}`)];
}
