// What the page knows of the server: its models, the model in use and its classes.

import { Failure, ModelApi, server } from "./api.js";

/** `model` is the API of the model in use; `classes` are its {label, documents}; `events` tells of changes. */
export const session = {
  models: [],
  model: null,
  classes: [],
  documents: 0,
  several: false,
  isSearched: false,
  version: null,
  head: null,
  isEmpty: false,
  isLearning: false,
  isWritable: true,
  writer: null,
  events: new EventTarget(),
};

/** Tell the views that something changed: "changed" after a change of the model, "session" for the frame. */
export const tell = (name, detail = null) => session.events.dispatchEvent(new CustomEvent(name, { detail }));

/** Ask the server for its models, and choose the one named, or the first. */
export async function connect(wanted) {
  const health = await server.get("health").catch(failure => (failure.status === 503 ? {} : Promise.reject(failure)));
  session.isWritable = health.writable ?? true;
  session.writer = health.writer ?? null;
  const listed = await server.get("models").catch(failure => (failure.status === 404 ? null : Promise.reject(failure)));
  session.models = (listed?.models ?? []).map(one => (typeof one === "string" ? one : one.name));
  const name = session.models.includes(wanted) ? wanted : (session.models[0] ?? null);
  await choose(listed === null ? null : name);
}

/** Use a model; null is the only model of a server that does not name its models. */
export async function choose(name) {
  session.model = new ModelApi(name);
  await refresh();
}

/** Ask again for the classes of the model. An empty model has none. */
export async function refresh() {
  const model = session.model;
  let summary = null;
  try {
    summary = await model.get("model");
  } catch (failure) {
    if (!(failure instanceof Failure) || !["model-empty", "model-unknown"].includes(failure.code)) throw failure;
  }
  if (model !== session.model) return;
  session.classes = (summary?.classes ?? []).map(one => (typeof one === "object" && one !== null ? one : { label: one, documents: null }));
  session.documents = summary?.documents ?? 0;
  session.several = summary?.multilabel ?? false;
  session.isSearched = (summary?.updates ?? null) !== null; // found by a search: measured on held-out documents
  session.version = summary?.version ?? null;
  session.head = summary?.head ?? null;
  session.isLearning = session.classes.length === 0 && (summary?.head ?? 0) > (summary?.version ?? 0);
  session.isEmpty = session.classes.length === 0 && !session.isLearning;
  if (typeof summary?.writable === "boolean") session.isWritable = summary.writable;
  tell("session");
}

/** Wait until the model in memory has learned `version()`; tells whether it has, after a minute at most. */
export async function learnedUntil(version, signal = null) {
  for (let turn = 0; turn < 60; turn += 1) {
    await new Promise(done => setTimeout(done, turn < 5 ? 400 : 1200));
    if (signal?.aborted) return false;
    await refresh();
    if (session.version === null || session.version >= version()) return true;
  }
  return false;
}

/** Whether a label is a class of the model. */
export const isKnown = label => session.classes.some(one => String(one.label) === String(label));

/** The class whose name was typed, with its own kind (a number stays a number), or the typed text. */
export const labelOf = typed => session.classes.find(one => String(one.label) === typed)?.label ?? typed;

/** Labels as a request wants them: one, or a list for models of several labels a text. */
export const asLabels = chosen => (session.several ? [chosen].flat() : [chosen].flat()[0]);
