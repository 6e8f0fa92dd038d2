// The quality as a chart: a line with a band, drawn as SVG.

import { h, s } from "./dom.js";
import { count, many, percent } from "./format.js";
import { session } from "./session.js";

const WIDTH = 360, HEIGHT = 170, LEFT = 34, RIGHT = 8, TOP = 10, BOTTOM = 26;
/** A share of fewer texts is said in words only. */
const FEWEST = 5;

/**
 * A chart of points {x, y, low, high} with y from 0 to 1. `words` say in a sentence what it shows.
 * Without points it says what to do to get some.
 */
export function chart(points, { title, words, xs, none }) {
  const shown = points.filter(one => Number.isFinite(one.x) && Number.isFinite(one.y));
  const caption = h("figcaption", {}, h("strong", {}, title), h("span", { class: "quiet" }, shown.length ? words : none));
  if (!shown.length) return h("figure", { class: "chart empty" }, caption);
  return h("figure", { class: "chart" }, caption, drawing(shown, `${title}. ${words}`, xs));
}

function drawing(points, label, xs) {
  const first = Math.min(...points.map(one => one.x)), last = Math.max(...points.map(one => one.x));
  const least = Math.min(...points.map(one => one.low ?? one.y));
  const bottom = [0.8, 0.6, 0.4, 0.2].find(value => value <= least) ?? 0;
  const x = value => LEFT + (last === first ? 0.5 : (value - first) / (last - first)) * (WIDTH - LEFT - RIGHT);
  const y = value => TOP + (1 - (value - bottom) / (1 - bottom)) * (HEIGHT - TOP - BOTTOM);
  const steps = [0, 0.5, 1].map(step => bottom + step * (1 - bottom));
  const grid = steps.map(value => s("g", {}, s("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }), s("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, `${Math.round(100 * value)}`)));
  const path = (name, low) => points.map((one, place) => `${place || low ? "L" : "M"}${x(one.x).toFixed(1)} ${y(one[name] ?? one.y).toFixed(1)}`);
  const hasBand = points.some(one => one.low !== undefined && one.low !== null);
  const band = hasBand && s("path", { class: "band", d: [...path("high", false), ...path("low", true).reverse(), "Z"].join(" ") });
  const end = points.at(-1);
  const dots = points.length <= 40 ? points : [end];
  return s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    grid,
    band || null,
    s("path", { class: "line", d: path("y", false).join(" ") }),
    dots.map(one => s("circle", { class: "dot", cx: x(one.x), cy: y(one.y), r: one === end ? 4.5 : 2.5 }, s("title", {}, `${count(one.x)} ${xs}: ${percent(one.y)}`))),
    s("text", { x: LEFT, y: HEIGHT - 8 }, count(first)),
    last > first && s("text", { x: WIDTH - RIGHT, y: HEIGHT - 8, "text-anchor": "end" }, `${count(last)} ${xs}`),
  );
}

/** Both charts of /quality: the share right in the random texts of the queue, and leave-one-out if the model has it. */
export function qualityCharts({ points = [], labelled = null, history = [] }) {
  const now = labelled?.texts ? labelled : null;
  const right = history.filter(one => one.texts > 0).map(one => ({ x: one.texts, y: one.accuracy, low: one.low, high: one.high }));
  const left = points.map(one => ({ x: one.documents, y: one.accuracy }));
  const last = points.at(-1);
  return [
    chart(now?.texts >= FEWEST ? right : [], {
      title: "New texts",
      xs: "random texts",
      words: now && `${percent(now.accuracy, 0)} of ${many(now.texts, "random text")} predicted right, 95 % interval ${percent(now.low, 0)} to ${percent(now.high, 0)}.`,
      none: now ? `${count(now.right)} of ${many(now.texts, "random text")} predicted right so far.` : "An honest estimate appears here as you label texts of the queue: some are drawn at random.",
    }),
    (left.length > 0 || !session.isSearched) && chart(left, {
      title: "Leave-one-out",
      xs: "documents",
      words: last && `Accuracy ${percent(last.accuracy)}, macro F1 ${percent(last.macro_f1)} with ${count(last.documents)} documents: each is predicted by the model without it.`,
      none: "Measured when the model settles, which it does by itself after changes.",
    }),
  ];
}
