// Classify: type a text, see its classes and the words that decided, and correct it with a click or a key.

import { inTurn, relabel, teach } from "./actions.js";
import { classRows } from "./bars.js";
import { announce, button, debounce, h, isTyping, show } from "./dom.js";
import { legend, markedText, strongest, wordsOf } from "./evidence.js";
import { labelText, many, percent, sameLabels } from "./format.js";
import { attempt, failed } from "./messages.js";
import { pickClass } from "./picker.js";
import { session } from "./session.js";

const TOP = 8;
/** The text stays while the page is open, whatever view is shown. */
const kept = { text: "", document: null };

export function classify(place, { on }) {
  const view = new Classify();
  show(place, view.parts());
  on(session.events, "changed", event => view.afterChange(event.detail));
  on(document, "keydown", event => view.key(event));
  view.start();
}

class Classify {
  constructor() {
    this.result = null;
    this.before = null;
    this.turn = 0;
    this.saving = null;
    this.against = null;
    this.label = null;
    this.chosen = new Set();
    this.field = h("textarea", { id: "text", rows: 4, dir: "auto", value: kept.text, placeholder: "Type or paste a text…", spellcheck: "false", "aria-describedby": "text-hint", oninput: () => this.typed() });
    this.hint = h("p", { id: "text-hint", class: "quiet" }, "The answer follows as you type.");
    this.classes = h("section", { class: "card", "aria-labelledby": "classes-title" });
    this.why = h("section", { class: "card", "aria-labelledby": "why-title" });
    this.ask = debounce(() => this.explain(), 220);
  }

  parts() {
    return [
      h("h1", {}, "Classify"),
      h("div", { class: "classify" },
        h("div", { class: "card paper" }, h("label", { class: "unseen", for: "text" }, "Text"), this.field, h("div", { class: "row" }, h("div", { class: "grow" }, this.hint), button("Clear", () => this.clear(), { kind: "quiet small" }))),
        this.classes,
        this.why),
    ];
  }

  start() {
    this.grow();
    this.drawEmpty();
    if (this.field.value.trim()) this.explain();
    if (matchMedia("(min-width: 700px)").matches) this.field.focus();
  }

  typed() {
    kept.text = this.field.value;
    kept.document = null;
    this.before = null;
    this.label = this.against = null;
    this.chosen.clear();
    this.grow();
    this.ask();
  }

  clear() { this.field.value = ""; this.typed(); this.field.focus(); }

  grow() {
    this.field.style.height = "auto";
    this.field.style.height = `${Math.min(this.field.scrollHeight + 4, 420)}px`;
  }

  async explain() {
    const text = this.field.value;
    const turn = (this.turn += 1);
    if (!text.trim()) { this.result = null; this.drawEmpty(); return; }
    try {
      const result = await this.answer(text);
      if (turn !== this.turn) return;
      this.result = result;
      this.draw();
    } catch (failure) {
      if (turn === this.turn) { show(this.classes, failed(failure, () => this.explain())); show(this.why); this.why.hidden = true; }
    }
  }

  /** The explanation, or only the prediction if the text is too long to be explained. */
  async answer(text) {
    try {
      return await session.model.post("explain", { text, top: TOP });
    } catch (failure) {
      if (failure.status !== 413 && failure.code !== "request-size" && failure.status !== 422) throw failure;
      const found = await session.model.post("predict", { text, top: TOP, proba: true });
      return { text, label: found.label ?? found.labels, classes: found.top ?? [], tokens: null };
    }
  }

  drawEmpty() {
    this.why.hidden = true;
    this.hint.textContent = "The answer follows as you type.";
    const classes = session.classes.slice(0, TOP).map(one => ({ label: one.label, probability: null }));
    show(this.classes, h("h2", { id: "classes-title" }, many(session.classes.length, "class")), h("p", { class: "quiet" }, `${many(session.documents, "document")} learned. Probabilities appear here.`), classRows(classes, { keys: false, best: "" }));
  }

  draw() {
    const { classes } = this.result;
    const ranked = [...classes].sort((one, other) => (other.probability ?? 0) - (one.probability ?? 0));
    const isTaught = kept.document !== null;
    const first = ranked[0];
    const words = session.several ? labelText(this.result.label) : labelText(first.label);
    announce(`${words}, ${percent(first.probability)}`);
    this.hint.textContent = isTaught ? `Taught as ${labelText(kept.document.labels)}.` : `${many([...this.result.text].length, "character")}.`;
    if (session.several && !this.chosen.size) [this.result.label].flat().forEach(label => this.chosen.add(label));
    show(
      this.classes,
      h("h2", { id: "classes-title", class: "answer", dir: "auto" }, words),
      h("p", { class: "quiet" }, this.question(ranked.length)),
      classRows(ranked, { choose: session.isWritable ? label => this.choose(label) : null, before: this.before, chosen: session.several ? this.chosen : taughtSet(), several: session.several }),
      session.isWritable && h("div", { class: "row wrap" }, session.several && button("Teach these labels", () => this.teach([...this.chosen]), { kind: "main", key: "Enter" }), button("Other class…", () => this.other(), { kind: "quiet", icon: "plus", key: "N" })),
    );
    this.before = null;
    this.drawWhy(ranked);
  }

  question(shown) {
    const more = session.classes.length - shown;
    const rest = more > 0 ? ` ${many(more, "more class")} below these.` : "";
    if (!session.isWritable) return `This server is read-only.${rest}`;
    return `${session.several ? "Set the right labels, then teach them." : "Choose the right class to teach it: click, or press its key."}${rest}`;
  }

  drawWhy(ranked) {
    const { tokens } = this.result;
    this.why.hidden = false;
    if (!tokens) { show(this.why, h("h2", { id: "why-title" }, "Words that decided"), h("p", { class: "quiet" }, "This text is too long to explain word by word. Paste a part of it.")); return; }
    const labels = ranked.map(one => one.label);
    const label = labels.find(one => sameLabels(one, this.label)) ?? labels[0];
    const against = this.against === "" ? null : (labels.find(one => sameLabels(one, this.against) && one !== label) ?? (session.several ? null : (labels.find(one => one !== label) ?? null)));
    const words = wordsOf(this.result, label, against);
    const select = (name, value, options, set) => h("select", { "aria-label": name, onchange: event => { set(options[event.target.selectedIndex]); this.drawWhy(ranked); } }, options.map(one => h("option", { selected: sameLabels(one, value) }, one === null ? "all others" : labelText(one))));
    show(
      this.why,
      h("h2", { id: "why-title" }, "Words that decided"),
      labels.length > 1 && h("p", { class: "row wrap quiet versus" }, "Evidence for", select("Evidence for", label, labels, one => { this.label = one; }), "over", select("over", against, [...labels.filter(one => one !== label), ...(session.several ? [null] : [])], one => { this.against = one ?? ""; })),
      markedText(this.result, words, label, against),
      legend(label, against),
      h("details", {}, h("summary", {}, "Numbers, word by word"), strongest(this.result, words, label, against)),
    );
  }

  choose(label) {
    if (!session.several) return this.teach([label]);
    if (!this.chosen.delete(label)) this.chosen.add(label);
    return this.draw();
  }

  async other() {
    const picked = await pickClass({ title: "Teach this text as", several: session.several, chosen: [...this.chosen] });
    if (picked) await this.teach(picked.labels ?? [picked.label]);
  }

  /** A choice that is made while another is saved waits for it; the same choice again is a double click. */
  async teach(labels) {
    const text = this.field.value;
    const wanted = JSON.stringify([text, labels]);
    if (!text.trim() || !labels.length || this.saving === wanted) return;
    this.saving = wanted;
    await inTurn(() => this.save(text, labels));
    if (this.saving === wanted) this.saving = null;
    await this.explain();
  }

  async save(text, labels) {
    this.before = new Map((this.result?.classes ?? []).map(one => [String(one.label), one.probability ?? 0]));
    const document = kept.document;
    const answer = document?.text === text ? await relabel(document, labels) : await teach(text, labels);
    if (answer?.documents?.[0] && kept.text === text) kept.document = { id: answer.documents[0].id, text, labels: session.several ? labels : labels[0] };
  }

  /** After any change, here or by undo: the same text again, with the difference shown. */
  async afterChange(detail) {
    if (this.saving || !this.result) return;
    this.before ??= new Map(this.result.classes.map(one => [String(one.label), one.probability ?? 0]));
    if (detail.kind === "undo") await attempt(() => this.afterUndo());
    await this.explain();
  }

  async afterUndo() {
    if (!kept.document) return;
    const { changes: [last] } = await session.model.get("changes", { document: kept.document.id, limit: 1 });
    const labels = last?.labels_after ?? null;
    kept.document = labels === null ? null : { ...kept.document, labels };
  }

  key(event) {
    if (event.ctrlKey && event.key === "Enter") { event.preventDefault(); this.explain(); return; }
    const isFree = !isTyping(event) && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isAlt = event.altKey && !document.querySelector("dialog[open]");
    if (!session.isWritable || !this.result || !(isFree || isAlt)) return;
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1] ?? (/^[1-9]$/.test(event.key) ? event.key : null);
    const buttons = this.classes.querySelectorAll("button.bar");
    if (digit && buttons[digit - 1]) { event.preventDefault(); buttons[digit - 1].click(); }
    else if (event.key.toLowerCase() === "n") { event.preventDefault(); this.other(); }
    else if (session.several && event.key === "Enter" && event.target === document.body) this.teach([...this.chosen]);
  }
}

const taughtSet = () => new Set(kept.document ? [kept.document.labels].flat() : []);
