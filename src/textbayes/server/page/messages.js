// Messages: toasts that pass, banners that stay until their cause is gone, and errors in place.

import { announce, button, h, icon } from "./dom.js";

const STAY = 9000;

/** Show a message that passes; `action` is {words, key, run}. Errors stay until they are closed. */
export function toast(words, { kind = "done", detail = "", action = null } = {}) {
  const place = document.getElementById("toasts");
  const isError = kind === "error";
  const close = () => one.remove();
  const one = h(
    "div",
    { class: `toast ${kind}`, role: isError ? "alert" : null },
    icon(isError ? "close" : "check"),
    h("div", { class: "grow" }, h("p", { dir: "auto" }, words), detail && h("p", { class: "quiet", dir: "auto" }, detail)),
    action && button(action.words, () => { close(); action.run(); }, { kind: "link", key: action.key }),
    button("", close, { kind: "bare", icon: "close", label: "Close the message" }),
  );
  for (const other of place.querySelectorAll(".toast.done")) other.remove();
  while (place.children.length > 2) place.firstChild.remove();
  place.append(one);
  if (!isError) {
    announce(`${words} ${detail}`);
    let left = setTimeout(close, STAY);
    one.addEventListener("pointerenter", () => clearTimeout(left));
    one.addEventListener("pointerleave", () => { left = setTimeout(close, STAY); });
  }
  return close;
}

/** What a failure means here, in addition to what the server says. */
const HINTS = {
  "writer-elsewhere": "This server only follows. Open the page of the server that writes.",
  "server-read-only": "Start it with --store or --writable to teach it from here.",
  "store-full": "Nothing was changed. Predictions go on.",
  "store-unavailable": "Nothing was changed. Predictions go on.",
  "undo-conflict": "See its history under Documents.",
  "rate-limit": "Wait a moment, then try again.",
};

/** What a failure says: what happened and what to do. */
export function said(failure) {
  const what = failure?.what ?? "The page met an error of its own.";
  const todo = [failure?.todo ?? failure?.message ?? "", HINTS[failure?.code]].filter(Boolean).join(" ");
  return { what, todo };
}

/** Show a failure as a toast. */
export function fail(failure) {
  if (failure?.code === "cancelled") return;
  if (failure?.code === undefined) console.error(failure);
  const { what, todo } = said(failure);
  toast(what, { kind: "error", detail: todo });
}

/** A failure in place of a view or of a part of it. */
export function failed(failure, retry) {
  const { what, todo } = said(failure);
  if (failure?.code === undefined) console.error(failure);
  return h(
    "div",
    { class: "note warn", role: "alert" },
    h("p", { dir: "auto" }, h("strong", {}, what)),
    todo && h("p", { dir: "auto" }, todo),
    failure?.code && h("p", { class: "quiet" }, h("code", {}, failure.code)),
    retry && button("Try again", retry, { kind: "quiet" }),
  );
}

/** Show a banner under a name, or take it away (null). */
export function banner(name, ...children) {
  const place = document.getElementById("banners");
  place.querySelector(`[data-name="${name}"]`)?.remove();
  if (children[0] !== null) place.append(h("div", { class: "banner", "data-name": name }, ...children));
}

/** Run a task; a failure becomes a toast and the answer undefined. */
export async function attempt(task) {
  try {
    return await task();
  } catch (failure) {
    fail(failure);
    return undefined;
  }
}
