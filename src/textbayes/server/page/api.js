// Requests to the server. Every error becomes a Failure that says what happened and what to do.

/** What went wrong: `code` and `what`, `why`, `todo` as the server says them. */
export class Failure extends Error {
  constructor(status, { code = "unknown", what = "", why = "", todo = "" } = {}) {
    super(what);
    Object.assign(this, { status, code, what: what || `The server answered ${status}.`, why: why || "", todo: todo || "" });
  }
}

/** The address that requests are relative to: the folder of the page. */
const BASE = new URL(".", document.baseURI.split("#")[0].split("?")[0]);
const TIMEOUT = 120_000;
/** How often a server with too many requests is asked again, a second later each time. */
const BUSY_TURNS = 3;

const kept = {
  get: (place, name) => { try { return place().getItem(name) ?? ""; } catch { return ""; } },
  set: (place, name, value) => { try { value ? place().setItem(name, value) : place().removeItem(name); } catch { /* private window */ } },
};
const session = () => sessionStorage;
const local = () => localStorage;

/** The token, kept until the tab is closed, and the name of the user, kept in this browser. */
export const identity = {
  get token() { return kept.get(session, "textbayes-token"); },
  set token(value) { kept.set(session, "textbayes-token", value); },
  get name() { return kept.get(local, "textbayes-name"); },
  set name(value) { kept.set(local, "textbayes-name", value.trim()); },
};

/** Set by main.js: asks for a token (resolves to true if there is a new one), and tells of lost and found servers. */
export const hooks = { askToken: async () => false, reachable: () => {} };

function headers(type, key) {
  const all = { Accept: "application/json" };
  if (type) all["Content-Type"] = type;
  if (key) all["Idempotency-Key"] = key;
  if (identity.token) all.Authorization = `Bearer ${identity.token}`;
  else if (identity.name) all["Textbayes-Actor"] = actorHeader(identity.name);
  return all;
}

/** A header holds bytes: those of the name in UTF-8. */
const actorHeader = name => String.fromCharCode(...new TextEncoder().encode(name));

/** A key that makes a repeated change harmless. randomUUID is missing on plain HTTP. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map(byte => byte.toString(16).padStart(2, "0")).join("");
}

const pause = time => new Promise(done => setTimeout(done, time));

/** Send a request, and once more if there is no answer. Changes carry a key, so that they are made once. */
async function send(url, options) {
  for (let turn = 0; ; turn += 1) {
    try {
      const signal = options.signal ?? AbortSignal.timeout(TIMEOUT);
      const reply = await fetch(url, { ...options, signal, cache: "no-store", credentials: "same-origin", redirect: "error" });
      hooks.reachable(true);
      return reply;
    } catch (error) {
      if (options.signal?.aborted) throw new Failure(0, { code: "cancelled", what: "Cancelled." });
      if (turn < 1) { await pause(400); continue; }
      hooks.reachable(false);
      throw new Failure(0, { code: "unreachable", what: "The server does not answer.", todo: "Check that it runs; the page tries again by itself." });
    }
  }
}

/** Answer of a request as a Response, or a Failure. A server with too many requests is asked again. */
export async function request(method, path, { body, type, query, signal } = {}) {
  const url = new URL(path, BASE);
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of [value].flat()) if (one !== null && one !== undefined && one !== "") url.searchParams.append(name, String(one));
  }
  const isJson = type === undefined && body !== undefined;
  const content = isJson ? JSON.stringify(body, wellFormed) : body;
  const isChange = method !== "GET" && !/\/(predict|explain|predict\/file)$/.test(url.pathname);
  const key = isChange ? newKey() : null;
  for (let turn = 0; ; turn += 1) {
    const options = { method, headers: headers(isJson ? "application/json" : type, key), body: content, signal };
    const reply = await send(url, options);
    if (reply.ok) return reply;
    const failure = await failureOf(reply);
    if (reply.status === 401 && (await hooks.askToken(failure))) continue;
    if (failure.code === "server-busy" && turn < BUSY_TURNS && !signal?.aborted) { await pause(1000); continue; }
    throw failure;
  }
}

/** Half of a surrogate pair cannot be sent as UTF-8. */
const wellFormed = (_, value) => (typeof value === "string" && value.toWellFormed ? value.toWellFormed() : value);

async function failureOf(reply) {
  const answer = await reply.json().catch(() => null);
  const said = answer?.error;
  if (said && typeof said === "object") return new Failure(reply.status, said);
  const whats = { 401: "The server wants a token.", 403: "This is not allowed here.", 404: "The server does not know this.", 413: "This is too large for the server.", 429: "Too many requests.", 503: "The server is busy." };
  return new Failure(reply.status, { code: `http-${reply.status}`, what: whats[reply.status], todo: reply.status === 503 || reply.status === 429 ? "Try again in a moment." : "" });
}

const json = async (...values) => (await request(...values)).json();

/** GET and others with JSON, at the server's root. */
export const server = {
  get: (path, query) => json("GET", path, { query }),
  post: (path, body = {}) => json("POST", path, { body }),
};

/** The same for a model. */
export class ModelApi {
  constructor(name) { this.name = name; this.root = name === null ? "" : `models/${encodeURIComponent(name)}/`; }
  get(path, query, signal) { return json("GET", this.root + path, { query, signal }); }
  post(path, body = {}, signal) { return json("POST", this.root + path, { body, signal }); }
  put(path, body) { return json("PUT", this.root + path, { body }); }
  remove(path, query) { return json("DELETE", this.root + path, { query }); }
  upload(path, file, type, query) { return json("POST", this.root + path, { body: file, type, query }); }
  stream(path, file, type, query, signal) { return request("POST", this.root + path, { body: file, type, query, signal }); }
}

/** The path of a document, whatever its id is. */
export const documentPath = id => `documents/${encodeURIComponent(id)}`;
