// The frame of the page: views by hash routes, model switcher, theme, undo, tokens and connection.

import { hooks, identity, server } from "./api.js";
import { undoable, undoLast } from "./actions.js";
import { batch } from "./batch.js";
import { changes } from "./changes.js";
import { classes } from "./classes.js";
import { classify } from "./classify.js";
import { ask } from "./dialogs.js";
import { documents } from "./documents.js";
import { button, h, icon, isTyping, show } from "./dom.js";
import { firstRun } from "./first.js";
import { showKeys } from "./help.js";
import { short } from "./format.js";
import { attempt, banner, failed, toast } from "./messages.js";
import { queue } from "./queue.js";
import { choose, connect, learnedUntil, session } from "./session.js";

const VIEWS = { classify: ["Classify", classify], queue: ["Queue", queue], documents: ["Documents", documents], classes: ["Classes", classes], batch: ["Batch", batch], changes: ["Changes", changes] };
/** Views that an empty model has as well. */
const FREE = new Set(["queue", "changes"]);
const main = document.getElementById("main");
let leave = () => {};

/** #/documents?class=spam → ["documents", {class: "spam"}] */
function route() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  return [path in VIEWS || path === "teach" ? path : "classify", Object.fromEntries(new URLSearchParams(query ?? ""))];
}

/** Listeners of a view end when it is left. */
function listeners() {
  const ends = new AbortController();
  leave = () => ends.abort();
  return { on: (target, name, call) => target.addEventListener(name, call, { signal: ends.signal }), signal: ends.signal };
}

async function draw() {
  leave();
  const [name, query] = route();
  const needsClasses = !FREE.has(name);
  if (session.isLearning && needsClasses) { drawNavigation(name); drawLearning(); return; }
  const isFirst = session.isEmpty && needsClasses;
  const [title, view] = name === "teach" || isFirst ? ["Teach", firstRun] : VIEWS[name];
  document.title = `${title} · ${session.model?.name ?? "textbayes"}`;
  main.className = `view-${isFirst ? "first" : name}`;
  drawNavigation(name);
  view(main, { query, ...listeners() });
}

/** The first texts are in the store, but the model has not learned them yet. */
function drawLearning() {
  const { signal } = listeners();
  show(main, h("div", { class: "card blank", role: "status" }, h("h1", {}, "Learning…"), h("p", { class: "quiet" }, "The first texts are saved. The model learns them now, which takes a few seconds."), h("progress", { "aria-label": "Learning" })));
  learnedUntil(() => session.head, signal).catch(() => false);
}

/** Why nothing can be taught here; a follower names the server that writes. */
function readOnly() {
  const { writer } = session;
  const where = /^https?:\/\//.test(writer ?? "") ? h("a", { href: `${writer}/${location.hash}`, rel: "noreferrer" }, writer) : writer;
  return h("p", {}, h("strong", {}, "Read-only."), writer ? [" This server follows; the one that learns is ", where, "."] : " This server answers, but cannot be taught.");
}

function drawNavigation(current) {
  const links = Object.entries(VIEWS).map(([name, [title]]) => h("a", { href: `#/${name}`, "aria-current": name === current ? "page" : null }, icon(name), h("span", {}, title)));
  show(document.getElementById("views"), links);
}

function drawModels() {
  const place = document.getElementById("models");
  const { models, model } = session;
  const options = models.map(name => h("option", { value: name, selected: name === model.name }, name));
  const select = () => [h("label", { class: "unseen", for: "model" }, "Model"), h("select", { id: "model", onchange: event => switchModel(event.target.value) }, options)];
  show(place, models.length > 1 ? select() : models.length === 1 && h("span", { class: "model-name", dir: "auto" }, models[0]), session.isWritable && button("", newModel, { kind: "bare", icon: "plus", label: "New model" }));
}

const newModel = () => attempt(async () => {
  const name = await ask("New model", "Models on one server learn apart from each other. This needs a token with the right admin, if the server has tokens.", { label: "Name: letters, digits, . - _", yes: "Make it", pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]{0,99}" });
  if (name === null) return;
  await server.post("models", { name });
  await connect(name);
  draw();
});

const switchModel = name => attempt(async () => {
  await choose(name);
  try { sessionStorage.setItem("textbayes-model", name); } catch { /* private window */ }
  draw();
});

function drawTools() {
  const words = undoable();
  const undo = button("Undo", undoLast, { kind: "quiet undo", icon: "undo", key: "U", label: words ? `Undo: ${words}` : "Nothing to undo" });
  undo.disabled = words === null;
  const isDark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const who = identity.token ? "Token" : identity.name ? short(identity.name, 14) : "Your name";
  show(
    document.getElementById("tools"),
    undo,
    button(who, askIdentity, { kind: "bare who", icon: identity.token ? "key" : "person", label: identity.token ? "Change or remove the token" : "Your name, written beside each change" }),
    button("?", showKeys, { kind: "bare help", label: "Keys" }),
    button("", () => { setTheme(isDark ? "light" : "dark"); }, { kind: "bare", icon: isDark ? "sun" : "moon", label: isDark ? "Light colours" : "Dark colours" }),
  );
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  try { localStorage.setItem("textbayes-theme", theme); } catch { /* private window */ }
  drawTools();
}

async function askIdentity() {
  if (identity.token) {
    const token = await ask("Token", "It is kept until you close this tab. Leave it empty to remove it.", { label: "Token", type: "password", mayBeEmpty: true });
    if (token === null) return;
    identity.token = token.trim();
    start();
    return;
  }
  const name = await ask("Your name", "It stands beside each of your changes. It is kept in this browser.", { label: "Name", value: identity.name, autocomplete: "nickname", mayBeEmpty: true });
  if (name !== null) { identity.name = name.slice(0, 100); drawTools(); }
}

/** One dialog at a time, however many requests were refused. */
let asking = null;
hooks.askToken = failure => {
  asking ??= ask("Token needed", [failure.what, failure.todo], { label: "Token", type: "password", yes: "Sign in" }).then(token => {
    asking = null;
    if (token) identity.token = token.trim();
    drawTools();
    return Boolean(token);
  });
  return asking;
};

let retry = null;
/** Whether the page could not be shown, so that there is no view to go on with. */
let hasFailed = false;
hooks.reachable = isReachable => {
  if (isReachable && retry) { clearInterval(retry); retry = null; banner("lost", null); toast("The server answers again."); if (hasFailed) start(); }
  if (!isReachable && !retry) {
    retry = setInterval(ping, 4000);
    banner("lost", h("p", {}, h("strong", {}, "The server does not answer."), " Trying again every 4 seconds."), button("Try now", ping, { kind: "quiet" }));
  }
};
const ping = () => server.get("health").catch(() => {});

async function start() {
  hasFailed = false;
  leave();
  show(main, h("p", { class: "quiet loading", role: "status" }, "Loading…"));
  try {
    let wanted = null;
    try { wanted = sessionStorage.getItem("textbayes-model"); } catch { /* private window */ }
    await connect(wanted);
    draw();
  } catch (failure) {
    hasFailed = true;
    show(main, failed(failure, start));
  }
}

document.addEventListener("keydown", event => {
  if (isTyping(event) || event.altKey) return;
  if (event.key === "?") { event.preventDefault(); showKeys(); return; }
  if (event.shiftKey) return;
  const isUndo = (event.key === "u" && !event.ctrlKey && !event.metaKey) || (event.key === "z" && (event.ctrlKey || event.metaKey));
  if (isUndo) { event.preventDefault(); if (!event.repeat) undoLast(); }
});
document.querySelector(".skip").addEventListener("click", event => { event.preventDefault(); main.focus(); });
addEventListener("hashchange", () => {
  document.querySelectorAll("dialog[open]").forEach(one => one.close());
  draw();
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
});
let last = {};
session.events.addEventListener("session", () => {
  drawModels();
  if (last.isWritable !== session.isWritable) banner("read-only", session.isWritable ? null : readOnly());
  const { model, isEmpty, isLearning } = session;
  const isTurned = last.model === model && (last.isEmpty !== isEmpty || last.isLearning !== isLearning);
  last = { model, isEmpty, isLearning, isWritable: session.isWritable };
  if (isTurned && !FREE.has(route()[0])) draw(); // the first text was taught, or the last one forgotten
});
session.events.addEventListener("undoable", drawTools);
drawNavigation(route()[0]);
drawTools();
start();
