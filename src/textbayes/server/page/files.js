// Files of texts: CSV, JSON Lines or plain lines. Only the start is read for a preview; the server reads the rest.

const PREVIEW = 262_144;

/** Rows of CSV as lists of fields (RFC 4180: quotes, doubled quotes, line breaks inside quotes). */
export function parseCsv(text, delimiter = ",") {
  const rows = [];
  let row = [], field = "", isQuoted = false;
  const end = () => { row.push(field); field = ""; };
  const endRow = () => { end(); if (row.length > 1 || row[0] !== "") rows.push(row); row = []; };
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place];
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (text[place + 1] === '"') { field += '"'; place += 1; }
      else isQuoted = false;
    } else if (character === '"' && field === "") isQuoted = true;
    else if (character === delimiter) end();
    else if (character === "\n") endRow();
    else if (character !== "\r") field += character;
  }
  if (field !== "" || row.length) endRow();
  return rows;
}

/** The delimiter of CSV, as the server finds it: the first of comma, semicolon and tab that the header has. */
const delimiterOf = header => [",", ";", "\t"].find(mark => header.includes(mark)) ?? ",";

/** Objects of JSON Lines; a broken line is left out. */
export function parseJsonLines(text) {
  return text.split("\n").filter(line => line.trim()).map(line => { try { return JSON.parse(line); } catch { return null; } }).filter(one => one !== null);
}

/** csv, jsonl or lines, by the name of the file, else by its contents. */
function kindOf(name, text) {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1].toLowerCase();
  if (["csv", "tsv"].includes(ending)) return "csv";
  if (["jsonl", "ndjson", "json"].includes(ending)) return "jsonl";
  if (ending === "txt") return "lines";
  return text.trimStart().startsWith("{") ? "jsonl" : "lines";
}

/** What a file holds: {name, size, kind, columns, rows, column, isWhole}; `column` is the likely column of texts. */
export async function preview(file) {
  const raw = await file.slice(0, PREVIEW).text();
  const isWhole = file.size <= PREVIEW;
  const text = (isWhole ? raw : raw.slice(0, raw.lastIndexOf("\n") + 1)).replace(/^\ufeff/, "");
  const kind = kindOf(file.name, text);
  let columns = ["text"], rows = [];
  if (kind === "csv") {
    [columns = [], ...rows] = parseCsv(text, delimiterOf(text.split("\n", 1)[0]));
    if (!isWhole) rows.pop();
  } else if (kind === "jsonl") {
    const objects = parseJsonLines(text).map(one => (typeof one === "object" ? one : { text: one }));
    columns = [...new Set(objects.slice(0, 100).flatMap(Object.keys))];
    rows = objects.map(one => columns.map(column => (typeof one[column] === "string" ? one[column] : JSON.stringify(one[column] ?? null))));
  } else rows = text.split(/\r?\n/).filter(line => line.trim()).map(line => [line]);
  return { file, name: file.name, size: file.size, kind, columns, rows, column: likely(columns, rows), isWhole };
}

/** The column named as texts usually are, else the one with the longest values. */
function likely(columns, rows) {
  for (const usual of ["text", "body", "message", "content", "comment", "review", "description"]) {
    const named = columns.find(name => [usual, `${usual}s`].includes(name.trim().toLowerCase()));
    if (named !== undefined) return named;
  }
  const lengths = columns.map((_, place) => rows.slice(0, 50).reduce((sum, row) => sum + (row[place]?.length ?? 0), 0));
  return columns[lengths.indexOf(Math.max(...lengths, 0))] ?? columns[0];
}

/** The content type that the server knows for a kind. */
export const typeOf = kind => (kind === "jsonl" ? "application/x-ndjson" : "text/csv");

const isNamed = (name, ...names) => names.includes(name.trim().toLowerCase());

/**
 * Examples from pasted lines or a file's text: [[label, text], …] and the lines that are none.
 * Lines are "label <tab> text"; CSV with columns label and text, and JSON Lines, are understood as well.
 */
export function parseExamples(text) {
  const lines = text.split(/\r?\n/).filter(line => line.trim());
  const [head = []] = parseCsv(lines[0] ?? "");
  const names = ["label", "class", "category"], texts = ["text", "message", "body"];
  const one = head.findIndex(name => isNamed(name, ...names)), other = head.findIndex(name => isNamed(name, ...texts));
  if (one >= 0 && other >= 0 && !lines[0].includes("\t")) {
    const rows = parseCsv(text).slice(1);
    return split(rows, row => [row[one], row[other]], row => row.join(","));
  }
  return split(lines, line => {
    const [object] = line.trimStart().startsWith("{") ? parseJsonLines(line) : [];
    if (object) return [object.label ?? object.labels, object.text];
    const place = line.indexOf("\t");
    return place < 0 ? [] : [line.slice(0, place).trim(), line.slice(place + 1).trim()];
  }, line => line);
}

function split(rows, read, words) {
  const examples = [], others = [];
  for (const row of rows) {
    const [label, text] = read(row);
    if (label !== undefined && label !== "" && typeof text === "string" && text.trim()) examples.push([label, text]);
    else others.push(words(row));
  }
  return { examples, others };
}
