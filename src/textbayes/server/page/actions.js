// Every change that the page makes, and its undo. A change is followed by a message with Undo.

import { documentPath } from "./api.js";
import { labelText, many, sameLabels, short } from "./format.js";
import { attempt, fail, toast } from "./messages.js";
import { asLabels, learnedUntil, refresh, session, tell } from "./session.js";

/** Seconds that an answer may wait for the model to learn, so that its effect is seen at once. */
const WAIT = 5;
const MOST_KEPT = 200;

const done = [];
let turn = Promise.resolve();

/** Run a task when those before it have ended, so that it knows what they changed. */
export function inTurn(task) {
  turn = turn.then(task, task);
  return turn;
}

/** What "Undo" would undo, in words; null if there is nothing. */
export const undoable = () => done.at(-1)?.words ?? null;

/** Remember how to undo something; `undo` is a task, `model` the model it belongs to. */
export function remember(words, undo, detail = null) {
  done.push({ words, undo, detail, model: session.model });
  if (done.length > MOST_KEPT) done.shift();
  tell("undoable");
}

/** Undo the last change that was made from this page. */
export const undoLast = () => inTurn(() => attempt(async () => {
  while (done.length && done.at(-1).model.name !== session.model.name) done.pop();
  const last = done.at(-1);
  if (!last) {
    toast("Nothing to undo here.", { detail: "Older changes can be undone under Changes." });
    return;
  }
  const answer = await last.undo().catch(failure => {
    if (failure.status === 409 || failure.status === 404 || failure.status === 410) forgetUndo(one => one === last);
    throw failure;
  });
  forgetUndo(one => one === last);
  toast(`Undone: ${last.words}`);
  await learned("undo", last.detail, answer);
}));

/** Forget how to undo something that was undone elsewhere. */
const forgetUndo = test => {
  const place = done.findLastIndex(test);
  if (place >= 0) done.splice(place, 1);
  tell("undoable");
};

/** After a change: the classes may be others, and the views draw again. */
async function learned(kind, detail, answer = {}) {
  await refresh().catch(() => {});
  tell("changed", { kind, ...detail });
  if (answer?.applied === false) follow(answer.version);
}

/** Versions that are saved, but not learned yet: the views draw again when they are. One loop follows them all. */
let awaited = 0;
function follow(version) {
  const isRunning = awaited > 0;
  awaited = Math.max(awaited, version);
  if (isRunning) return;
  learnedUntil(() => awaited)
    .then(isLearned => isLearned && tell("changed", { kind: "learned" }), () => {})
    .finally(() => { awaited = 0; });
}

/** Say what a change did, and offer its undo. */
async function report(answer, words, kind, detail = {}) {
  const documents = answer.documents ?? [];
  const versions = documents.map(one => one.version).filter(one => one !== null && one !== undefined);
  if (!versions.length && !(answer.taught || answer.relabelled || answer.forgot)) {
    toast("Nothing to change: it was so before.");
    return answer;
  }
  const which = versions.length === 1 ? { version: versions[0] } : versions.length ? { request: Math.min(...versions) } : { version: answer.version };
  const more = { ...detail, which, id: documents[0]?.id };
  const model = session.model;
  remember(words, () => model.post("undo", { ...which, wait: WAIT }), more);
  toast(words, { detail: answer.applied === false ? "Saved; the model is still learning it." : "", action: { words: "Undo", key: "U", run: undoLast } });
  await learned(kind, more, answer);
  return answer;
}

/** Teach a text, with one label or several. */
export const teach = (text, chosen) => attempt(async () => {
  const answer = await session.model.post("teach", { text, label: asLabels(chosen), wait: WAIT });
  return report(answer, `Taught as ${labelText(chosen)}`, "teach", { text });
});

/** Teach many texts, a part at a time; `onpart` is told how many are done. */
export const teachMany = (texts, labels, source, onpart = () => {}) => attempt(async () => {
  const step = 1000; // the most texts that a server takes at a time, unless it was told otherwise
  let answer = null;
  for (let start = 0; start < texts.length; start += step) {
    const part = { texts: texts.slice(start, start + step), labels: labels.slice(start, start + step), wait: WAIT };
    answer = await session.model.post("teach", source ? { ...part, source } : part);
    onpart(Math.min(start + step, texts.length));
    if (start + step < texts.length) {
      const first = Math.min(...answer.documents.map(one => one.version).filter(Boolean));
      const model = session.model;
      if (Number.isFinite(first)) remember(`Taught ${many(part.texts.length, "text")}`, () => model.post("undo", { request: first, wait: WAIT }));
    }
  }
  return report(answer, `Taught ${many(texts.length, "text")}`, "teach");
});

/** Give a document other labels. */
export const relabel = (document, chosen) => attempt(async () => {
  if (sameLabels(asLabels(chosen), document.labels)) { toast(`It is ${labelText(chosen)} already.`); return null; }
  const answer = await session.model.put(documentPath(document.id), { label: asLabels(chosen), wait: WAIT });
  return report(answer, `Now ${labelText(chosen)}: ${short(document.text ?? "", 40)}`, "relabel", { text: document.text });
});

/** Forget a document; its text stays in the history, so that it can be undone. */
export const forget = document => attempt(async () => {
  const answer = await session.model.remove(documentPath(document.id), { wait: WAIT });
  return report(answer, `Forgot: ${short(document.text, 40)}`, "forget");
});

/** Erase a document: the text leaves the history as well. No undo. */
export const erase = document => attempt(async () => {
  const answer = await session.model.remove(documentPath(document.id), { erase: true, wait: WAIT });
  toast("Erased. The text leaves the history at the next snapshot.");
  forgetUndo(one => one.detail?.id === document.id);
  await learned("erase", { id: document.id }, answer);
  return answer;
});

/** Undo a change of the list of changes. */
export const undoChange = change => attempt(async () => {
  const answer = await session.model.post("undo", { version: change.version, wait: WAIT });
  forgetUndo(one => one.detail?.which?.version === change.version);
  toast(`Undone: change ${change.version}`);
  await learned("undo", { id: change.document }, answer);
  return true;
});

/** Label a text of the queue; throws, because the queue puts the text back if it fails. */
export async function labelQueued(item, chosen) {
  const answer = await session.model.post(`queue/${encodeURIComponent(item.id)}`, { ...(session.several ? { labels: asLabels(chosen) } : { label: asLabels(chosen) }) });
  const which = answer.documents?.[0]?.version ? { version: answer.documents[0].version } : { version: answer.version };
  const model = session.model;
  remember(`${labelText(chosen)}: ${short(item.text, 40)}`, () => model.post("undo", { ...which, wait: WAIT }), { which, queued: item });
  await learned("queue", { queued: item }, answer);
  return answer;
}

/** Skip a text of the queue. */
export async function skipQueued(item) {
  const path = `queue/${encodeURIComponent(item.id)}`;
  await session.model.post(`${path}/skip`);
  const model = session.model;
  remember(`Skipped: ${short(item.text, 40)}`, () => model.post(`${path}/return`), { queued: item });
}
