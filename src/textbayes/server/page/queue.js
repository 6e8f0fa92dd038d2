// Queue: label the next text by keyboard, see the progress and the quality grow, add texts.

import { labelQueued, skipQueued } from "./actions.js";
import { classRows } from "./bars.js";
import { qualityCharts } from "./chart.js";
import { dropZone, showPreview } from "./dropping.js";
import { announce, button, debounce, h, isTyping, show } from "./dom.js";
import { legend, markedText, wordsOf } from "./evidence.js";
import { typeOf } from "./files.js";
import { count, labelText, many } from "./format.js";
import { attempt, fail, failed, toast } from "./messages.js";
import { pickClass } from "./picker.js";
import { session } from "./session.js";

/** Texts asked for at a time: the next one is there at once, and few are held back from others. */
const AHEAD = 2;
const KEYS = 9;

export function queue(place, { on }) {
  const view = new Queue();
  show(place, view.parts());
  on(session.events, "changed", event => { if (event.detail.kind !== "queue") view.load(event.detail.queued ?? null); });
  on(document, "keydown", event => view.key(event));
  view.load();
}

class Queue {
  constructor() {
    this.texts = [];
    this.counts = null;
    this.turn = 0;
    this.passed = new Set(); // labelled or skipped here: an answer that was under way may still have them
    this.chosen = new Set();
    this.made = 0;
    this.card = h("section", { class: "card paper now", "aria-label": "The text to label" }, h("p", { class: "quiet" }, "Loading…"));
    this.progress = h("div", { class: "progress-place" });
    this.quality = h("section", { class: "card", "aria-labelledby": "quality-title" });
    this.adding = h("section", { class: "card", "aria-labelledby": "add-title" });
    this.drawQuality = debounce(() => this.loadQuality(), 300);
    this.drawAdding();
    this.loadQuality();
  }

  parts() {
    return [h("h1", {}, "Queue"), h("div", { class: "columns wide" }, h("div", { class: "stack" }, this.progress, this.card), h("div", { class: "stack" }, this.quality, this.adding))];
  }

  /** Get the next texts; `back` is a text that came back by undo and is shown first. */
  async load(back = null) {
    const turn = (this.turn += 1);
    if (back) this.passed.delete(back.id);
    try {
      const found = await session.model.get("queue", { limit: AHEAD });
      if (turn !== this.turn && !back) return;
      const current = back ?? this.texts[0];
      const fresh = found.texts.filter(one => !this.passed.has(one.id));
      const first = current && (fresh.find(one => one.id === current.id) ?? current); // the server keeps it for us
      const isSame = this.texts[0]?.id === (first ?? fresh[0])?.id;
      this.texts = first ? [first, ...fresh.filter(one => one.id !== first.id)] : fresh;
      this.counts = found;
      if (!isSame) this.chosen.clear();
      this.draw(isSame);
    } catch (failure) {
      show(this.card, failed(failure, () => this.load()));
      show(this.progress);
    }
    this.drawQuality();
  }

  /** Up to nine classes keep their keys; of more, the most probable are shown. */
  choices(item) {
    const all = session.classes;
    const shares = new Map((item.predictions ?? []).map(one => [String(one.label), one.probability]));
    if (all.length <= KEYS) return all.map(one => ({ label: one.label, probability: shares.get(String(one.label)) ?? null }));
    const known = item.predictions?.length ? item.predictions : all.map(one => ({ label: one.label, probability: null }));
    return known.slice(0, KEYS - 1);
  }

  draw(isSame = false) {
    this.drawProgress();
    const item = this.texts[0];
    if (!item) return this.drawEmpty();
    const best = item.predictions?.[0]?.label ?? null;
    const before = isSame ? this.before : null;
    this.before = new Map((item.predictions ?? []).map(one => [String(one.label), one.probability]));
    const why = { uncertain: "The model is unsure of this one.", random: "Drawn at random, to measure the quality." }[item.drawn] ?? "";
    show(
      this.card,
      h("div", { class: "row" }, h("p", { class: "quiet drawn grow" }, why), best !== null && button("Why?", () => this.why(), { kind: "bare small", key: "W", "aria-pressed": String(this.marked?.id === item.id) })),
      this.text(item),
      session.classes.length > 0 && classRows(this.choices(item), { choose: label => this.choose(label), best: best ?? "", before, chosen: this.chosen, several: session.several }),
      h("div", { class: "row wrap keys" },
        session.several && button("Save", () => this.label([...this.chosen]), { kind: "main", key: "Enter" }),
        !session.several && best !== null && button(`Accept ${labelText(best)}`, () => this.label([best]), { kind: "main", key: "Enter" }),
        button(session.classes.length > KEYS ? "Find a class…" : "New class…", () => this.other(), { kind: "quiet", icon: "plus", key: "N" }),
        button("Skip", () => this.skip(), { kind: "quiet", icon: "skip", key: "S" })),
    );
    if (!isSame) announce(`Next text: ${item.text.slice(0, 300)}`);
    return undefined;
  }

  /** The text, with the words that speak for the best class marked if that was asked for. */
  text(item) {
    if (this.marked?.id !== item.id) return h("p", { class: "queue-text", dir: "auto", tabindex: "0" }, item.text);
    const [label, against = null] = this.marked.found.classes.map(one => one.label);
    const text = markedText(this.marked.found, wordsOf(this.marked.found, label, session.several ? null : against), label, against);
    text.classList.add("queue-text");
    return h("div", {}, text, legend(label, session.several ? null : against));
  }

  why() {
    return attempt(async () => {
      const item = this.texts[0];
      if (!item) return;
      this.marked = this.marked?.id === item.id ? null : { id: item.id, found: await session.model.post("explain", { text: item.text, top: 2 }) };
      this.draw(true);
    });
  }

  drawEmpty() {
    const isNew = !this.counts?.labelled && !this.counts?.skipped;
    show(
      this.card,
      h("div", { class: "blank" },
        h("h2", {}, isNew ? "No texts to label yet" : "All done"),
        h("p", { class: "quiet" }, isNew ? "Add texts without labels. The page then asks for the labels that teach the most." : `${many(this.counts.labelled, "text")} labelled${this.counts.skipped ? `, ${count(this.counts.skipped)} skipped` : ""}. Add more to go on.`)),
    );
  }

  drawProgress() {
    const { waiting = 0, labelled = 0, skipped = 0 } = this.counts ?? {};
    const all = waiting + labelled + skipped;
    if (!all) return show(this.progress);
    const bar = h("progress", { max: all, value: labelled + skipped, "aria-label": "Texts done" });
    const words = [`${count(labelled)} labelled`, skipped && `${count(skipped)} skipped`, `${count(waiting)} to go`, this.made && `${count(this.made)} by you now`];
    return show(this.progress, bar, h("p", { class: "quiet" }, words.filter(Boolean).join(" · ")));
  }

  choose(label) {
    if (!session.several) return this.label([label]);
    if (!this.chosen.delete(label)) this.chosen.add(label);
    return this.draw(true);
  }

  async other() {
    const item = this.texts[0];
    if (!item) return;
    const picked = await pickClass({ title: "Label this text as", several: session.several, chosen: [...this.chosen], first: (item.predictions ?? []).map(one => one.label) });
    if (picked) this.label(picked.labels ?? [picked.label]);
  }

  /** The next text is shown at once; the answer of the server follows. */
  async label(labels) {
    if (!labels.length) { toast("Choose a label first."); return; }
    await this.pass(item => labelQueued(item, labels), "labelled");
  }

  async skip() { await this.pass(skipQueued, "skipped"); }

  async pass(task, counted) {
    const item = this.texts[0];
    if (!item || !session.isWritable) return;
    this.texts.shift();
    this.passed.add(item.id);
    this.chosen.clear();
    this.before = null;
    this.counts = { ...this.counts, waiting: this.counts.waiting - 1, [counted]: this.counts[counted] + 1 };
    this.made += counted === "labelled" ? 1 : 0;
    if (this.texts.length) this.draw();
    else show(this.card, h("p", { class: "quiet" }, "Saving…"));
    try {
      await task(item);
    } catch (failure) {
      this.made -= counted === "labelled" ? 1 : 0;
      if (failure.status !== 404 && failure.status !== 409) { this.passed.delete(item.id); this.texts.unshift(item); }
      fail(failure);
    }
    await this.load();
  }

  async loadQuality() {
    try {
      const found = await session.model.get("quality");
      show(this.quality, h("h2", { id: "quality-title" }, "Quality"), qualityCharts(found));
      this.quality.hidden = false;
    } catch {
      this.quality.hidden = true; // an empty or read-only model has none
    }
  }

  drawAdding() {
    const lines = h("textarea", { id: "queue-lines", rows: 3, dir: "auto", placeholder: "One text a line", spellcheck: "false" });
    const place = h("div", { class: "stack" });
    const addLines = () => this.add({ lines: lines.value.split(/\r?\n/).filter(line => line.trim()) }, () => { lines.value = ""; });
    const take = file => showPreview(place, file, found => place.append(button("Add to the queue", () => this.add({ found }, () => show(place)), { kind: "main" })));
    show(this.adding, h("h2", { id: "add-title" }, "Add texts"), dropZone("CSV, JSON Lines or lines", take, { id: "queue-file" }), place, h("details", {}, h("summary", {}, "Paste lines"), h("div", { class: "stack" }, h("label", { class: "unseen", for: "queue-lines" }, "Texts, one a line"), lines, button("Add lines", addLines, { kind: "quiet" }))));
  }

  add({ lines, found }, clear) {
    return attempt(async () => {
      const model = session.model;
      let texts = lines;
      if (found?.kind === "lines") texts = (await found.file.text()).split(/\r?\n/).filter(line => line.trim());
      if (texts && !texts.length) { toast("There is no text to add."); return; }
      let queued = 0, duplicates = 0;
      const count_ = answer => { queued += answer.queued; duplicates += answer.duplicates; };
      if (texts) for (let start = 0; start < texts.length; start += 1000) count_(await model.post("queue", { texts: texts.slice(start, start + 1000), source: found?.name ?? "page" }));
      else count_(await model.upload("queue", found.file, typeOf(found.kind), { column: found.column }));
      toast(`${many(queued, "text")} added`, { detail: duplicates ? `${many(duplicates, "text")} left out: already there.` : "" });
      clear();
      await this.load();
    });
  }

  key(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || !this.texts.length) return;
    const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1] ?? (/^[1-9]$/.test(event.key) ? event.key : null);
    const onButton = event.target instanceof Element && event.target.closest("button, a, summary, label");
    if (digit) { const rows = this.card.querySelectorAll("button.bar"); if (rows[digit - 1]) { event.preventDefault(); rows[digit - 1].click(); } }
    else if (event.key.toLowerCase() === "n") { event.preventDefault(); this.other(); }
    else if (event.key.toLowerCase() === "s") this.skip();
    else if (event.key.toLowerCase() === "w") this.why();
    else if (event.key === "Enter" && !onButton) { event.preventDefault(); this.card.querySelector("button.main")?.click(); }
  }
}

