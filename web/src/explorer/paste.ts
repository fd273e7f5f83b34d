import type { Cell, Feature, ModelFacts, Row } from "./api";
import type { Outcome } from "./state";
import { parseTable } from "./table";

/** A row as somebody gave it, with what was observed for it, if that is there. */
export interface GivenRow {
  row: Row;
  outcome: Outcome;
}

/** Reads a row that a person pasted: JSON, two lines of a table, or one line of values in the order of the features. Features
 * that are not in it keep the values of `from`. Throws with a reason in plain words. */
export function parseRow(text: string, model: ModelFacts, from: Row): GivenRow {
  const trimmed = text.trim();
  if (trimmed === "") throw new Error("Paste a row first.");
  const json = trimmed.startsWith("{");
  const pairs = json ? fromJson(trimmed) : fromLines(trimmed, model);
  return rowFrom(pairs, model, from, json);
}

/** `strict` refuses names that the model does not have; tables have other columns too. */
export function rowFrom(pairs: [string, unknown][], model: ModelFacts, from: Row, strict = false): GivenRow {
  const features = new Map(model.features.map((feature) => [feature.name, feature]));
  const targets = new Set(model.targets.map((target) => target.name));
  const given: GivenRow = { row: { ...from }, outcome: {} };
  let used = 0;
  for (const [name, value] of pairs) {
    const feature = features.get(name);
    if (feature) {
      given.row[name] = cell(feature, value);
      ++used;
    } else if (targets.has(name)) {
      const observed = isMissing(value) ? NaN : numberOf(String(value).trim());
      if (Number.isFinite(observed)) given.outcome[name] = observed;
    } else if (strict) throw new Error(`Unknown feature "${name}".`);
  }
  if (used === 0) throw new Error(`The text contains none of the features: ${[...features.keys()].slice(0, 8).join(", ")} …`);
  return given;
}

function fromJson(text: string): [string, unknown][] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error("The text is not valid JSON.");
  }
  const object = (parsed as { row?: object }).row ?? parsed;
  return Object.entries(object as Record<string, unknown>);
}

function fromLines(text: string, model: ModelFacts): [string, unknown][] {
  const { header, rows } = parseTable(text);
  if (rows.length > 1) throw new Error(`The text has ${rows.length} rows: paste one row, or open the table below.`);
  const names = rows.length === 1 ? header : model.features.map((feature) => feature.name);
  const values = rows[0] ?? header;
  if (values.length !== names.length)
    throw new Error(`The row has ${values.length} values, but there are ${names.length} ${rows.length === 1 ? "columns" : "features"}.`);
  return names.map((name, i) => [name, values[i]]);
}

/** As in a CSV file: docs/cli.md has the list. */
const kMissing = new Set(["", "NA", "NaN", "nan", "N/A", "n/a", "null", "NULL", "None", "?", "#N/A", "#NA", "<NA>", "NaT"]);

export const isMissing = (value: unknown): boolean => value === null || value === undefined || kMissing.has(String(value).trim());

function cell(feature: Feature, value: unknown): Cell {
  if (isMissing(value)) return null;
  if (feature.type === "category") return String(value);
  const number = typeof value === "number" ? value : numberOf(String(value).trim());
  if (!Number.isFinite(number))
    throw new Error(`${feature.name} must be a ${feature.dates ? "date" : "number"}, but the value is "${String(value)}".`);
  return number;
}

const kDate = /^(\d{4}-\d\d-\d\d)(?:[T ]([01]\d|2[0-3])(:[0-5]\d)(:[0-5]\d(?:\.\d+)?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)?)?$/;

/** True and false are 1 and 0, dates are seconds since 1970, in UTC without an offset. */
export function numberOf(text: string): number {
  if (/^(true|false)$/i.test(text)) return Number(text.toLowerCase() === "true");
  const date = kDate.exec(text);
  if (!date) return Number(text);
  const [, day, hour = "00", minute = ":00", second = ":00", east = "+00", eastMinute = "00"] = date;
  const midnight = new Date(`${day}T00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day!)) return NaN; // 2023-02-29
  return Date.parse(`${day}T${hour}${minute}${second}${east}:${eastMinute}`) / 1000;
}
