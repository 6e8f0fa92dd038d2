// Dialogs: a question, a field, and the drawer at the side. The browser keeps the focus inside.

import { button, h } from "./dom.js";

/** Open a <dialog> with contents; resolves to what `close` was called with (null: cancelled). */
export function open(build, kind = "") {
  return new Promise(resolve => {
    let answer = null;
    const dialog = h("dialog", { class: kind });
    const close = value => { answer = value ?? null; dialog.close(); };
    dialog.append(...[build(close, dialog)].flat());
    dialog.addEventListener("close", () => { dialog.remove(); resolve(answer); });
    dialog.addEventListener("click", event => { if (event.target === dialog) close(null); });
    document.body.append(dialog);
    dialog.showModal();
  });
}

const head = (title, close) => {
  const id = `title-${Math.random().toString(36).slice(2)}`;
  return [id, h("header", { class: "dialog-head" }, h("h2", { id, dir: "auto" }, title), button("", () => close(null), { kind: "bare", icon: "close", label: "Close" }))];
};

/** Ask before something that cannot be taken back. Resolves to true or null. */
export function confirm(title, words, yes, { danger = false, must = null } = {}) {
  return open((close, dialog) => {
    const [id, top] = head(title, close);
    dialog.setAttribute("aria-labelledby", id);
    const agreed = must && h("input", { type: "checkbox", onchange: () => { go.disabled = !agreed.checked; } });
    const go = button(yes, () => close(true), { kind: danger ? "danger" : "main" });
    go.disabled = Boolean(must);
    return [top, ...[words].flat().map(one => (typeof one === "string" ? h("p", { dir: "auto" }, one) : one)), must && h("label", { class: "check" }, agreed, must), h("footer", { class: "row end" }, button("Cancel", () => close(null), { kind: "quiet" }), go)].filter(Boolean);
  }, "question");
}

/** Ask for a line: a token, a name. Resolves to the text or null. */
export function ask(title, words, { label, type = "text", value = "", yes = "Save", autocomplete = "off", pattern = null, mayBeEmpty = false } = {}) {
  return open((close, dialog) => {
    const [id, top] = head(title, close);
    dialog.setAttribute("aria-labelledby", id);
    const field = h("input", { type, value, autocomplete, pattern, required: !mayBeEmpty, spellcheck: "false", dir: "auto", autofocus: true });
    const form = h("form", { method: "dialog", onsubmit: event => { event.preventDefault(); close(field.value); } },
      h("label", { class: "field" }, h("span", {}, label), field),
      h("footer", { class: "row end" }, button("Cancel", () => close(null), { kind: "quiet" }), h("button", { class: "button main" }, yes)));
    return [top, ...[words].flat().filter(Boolean).map(one => h("p", { class: "quiet", dir: "auto" }, one)), form];
  }, "question");
}

/** A panel at the side; `build(close)` returns its contents. Resolves when it is closed. */
export function drawer(title, build) {
  return open((close, dialog) => {
    const [id, top] = head(title, close);
    dialog.setAttribute("aria-labelledby", id);
    return [top, h("div", { class: "drawer-body" }, build(close))];
  }, "drawer");
}
