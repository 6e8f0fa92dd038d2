// Numbers, times and labels in words.

const whole = new Intl.NumberFormat("en");
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const absolute = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** 1234.5 → "1,234.5" */
export const count = number => whole.format(Math.round(number * 100) / 100);

/** (1, "text") → "1 text"; (2, "text") → "2 texts"; (2, "class") → "2 classes" */
export const many = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : noun.endsWith("s") ? "es" : "s"}`;

/** 0.8765 → "87.7 %"; a probability that rounds to 0 or 100 without being it says so. */
export function percent(share, digits = 1) {
  if (share === null || share === undefined || Number.isNaN(share)) return "–";
  const least = 10 ** -digits;
  const shown = (100 * share).toFixed(digits);
  if (share > 0 && Number(shown) === 0) return `< ${least.toFixed(digits)} %`;
  if (share < 1 && Number(shown) === 100) return `> ${(100 - least).toFixed(digits)} %`;
  return `${shown} %`;
}

/** A label, or the labels of a text, in words. */
export function labelText(labels) {
  if (labels === null || labels === undefined) return "no label";
  if (Array.isArray(labels)) return labels.length ? labels.map(labelText).join(", ") : "no label";
  return labels === "" ? "(empty)" : String(labels);
}

/** The key of a label among the contributions of /explain: Python's text of it. */
export const labelKey = label => (typeof label === "boolean" ? (label ? "True" : "False") : String(label));

/** Whether two labels, or two lists of labels, are the same. */
export const sameLabels = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The time from now, such as "5 min. ago". */
export function ago(time) {
  const seconds = (new Date(time) - Date.now()) / 1000;
  if (Number.isNaN(seconds)) return "";
  for (const [unit, size] of [["day", 86400], ["hour", 3600], ["minute", 60]]) {
    if (Math.abs(seconds) >= size) return Math.abs(seconds) > 30 * 86400 ? absolute.format(new Date(time)) : relative.format(Math.round(seconds / size), unit);
  }
  return "just now";
}

/** The full time. */
export const fullTime = time => (Number.isNaN(Date.parse(time)) ? "" : absolute.format(new Date(time)));

/** The start of a text, for a message. */
export function short(text, most = 60) {
  const characters = [...text.slice(0, 4 * most).replace(/\s+/gu, " ")];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : characters.join("");
}

/** 12345 bytes → "12 KB" */
export const size = bytes => (bytes < 1024 ? `${bytes} bytes` : bytes < 1048576 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1048576).toFixed(1)} MB`);
