// Elements from data. Data becomes text nodes and properties only, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** Make an element: h("p", {class: "x", onclick}, child, …). A null, false or missing child is left out. */
export function h(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** Make an SVG element. */
export function s(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...present(children));
  return element;
}

const present = children => children.flat(Infinity).filter(one => one !== null && one !== undefined && one !== false);

/** Replace what an element holds. */
export function show(element, ...children) {
  element.replaceChildren(...present(children));
  return element;
}

const PATHS = {
  classify: "M4 6h16M4 12h10M4 18h6M17 15l2 2 4-4",
  queue: "M4 5h16v4H4zM4 13h16M4 17h16M4 21h9",
  documents: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
  classes: "M4 20V10M10 20V4M16 20v-7M22 20H2",
  batch: "M12 3v12M7 10l5 5 5-5M4 20h16",
  changes: "M12 7v5l3 2M3.5 12a8.5 8.5 0 1 0 2.6-6.1L3.5 8.5M3.5 4v4.5H8",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  search: "M11 18a7 7 0 1 1 0-14 7 7 0 0 1 0 14zM16 16l5 5",
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2v2M12 20v2M4.2 4.2l1.5 1.5M18.3 18.3l1.5 1.5M2 12h2M20 12h2M4.2 19.8l1.5-1.5M18.3 5.7l1.5-1.5",
  moon: "M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 4-6 8-6s8 2 8 6",
  arrow: "M5 12h14M13 6l6 6-6 6",
  check: "M5 13l4 4L19 7",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  skip: "M5 5l8 7-8 7zM17 5v14",
  key: "M14 10a5 5 0 1 0-4.6 5L11 13.5h2V11h2l1-1M21 3l-6.5 6.5M18 6l2 2",
  down: "M6 9l6 6 6-6",
};

/** An icon, drawn with the colour of the text; it says nothing to a screen reader. */
export function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, s("path", { d: PATHS[name] }));
}

/** A button with an icon, words, or both; `label` names a button that has no words. */
export function button(words, onclick, { kind = "", icon: drawing, label, key, ...others } = {}) {
  return h(
    "button",
    { type: "button", class: `button ${kind}`, "aria-label": label, title: label, onclick, ...others },
    drawing && icon(drawing),
    words && h("span", {}, words),
    key && h("kbd", { "aria-hidden": "true" }, key),
  );
}

/** Say something to screen readers. */
export function announce(words) {
  const place = document.getElementById("announcer");
  place.textContent = "";
  setTimeout(() => { place.textContent = words; }, 60);
}

/** Whether keys belong to what has the focus: a field, or an open dialog. */
export function isTyping(event) {
  const place = event.target instanceof Element ? event.target : document.body;
  return Boolean(place.closest("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]")) || Boolean(document.querySelector("dialog[open]"));
}

/** Call a function when calls have paused for some milliseconds. */
export function debounce(call, pause) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...values), pause);
  };
}
