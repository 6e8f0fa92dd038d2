// The keys, in a dialog.

import { drawer } from "./dialogs.js";
import { h } from "./dom.js";

const KEYS = [
  ["Everywhere", [["U", "Undo the last change"], ["Ctrl Z", "Undo, outside fields"], ["?", "These keys"], ["Esc", "Close a dialog"]]],
  ["Classify", [["1 – 9", "Teach the text as this class"], ["Alt 1 – 9", "The same while the text has the focus"], ["N", "Another class, or a new one"], ["Ctrl Enter", "Classify now"]]],
  ["Queue", [["1 – 9", "Label the text with this class"], ["Enter", "Accept the best class, or save the labels"], ["N", "Find a class, or a new one"], ["S", "Skip the text"], ["W", "Show the words that decided"]]],
  ["Choosing a class", [["↑ ↓", "Move"], ["Enter", "Choose"], ["Ctrl Enter", "Use the chosen labels, if a text can have several"]]],
];

/** Show the keys. */
export function showKeys() {
  return drawer("Keys", () => h("div", { class: "stack" }, KEYS.map(([title, rows]) => h("section", { class: "stack" }, h("h3", {}, title), h("dl", { class: "facts keys-list" }, rows.map(([key, words]) => [h("dt", {}, key), h("dd", {}, words)]))))));
}
