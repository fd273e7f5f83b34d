import type { Cell, Feature, ModelFacts, Row } from "./api";

/** Reads a row that a person pasted: JSON, two lines of a table, or one line of values in the order of the features. Features
 * that are not in it keep the values of `from`. Throws with a reason in plain words. */
export function parseRow(text: string, model: ModelFacts, from: Row): Row {
  const trimmed = text.trim();
  if (trimmed === "") throw new Error("There is nothing to read yet.");
  const pairs = trimmed.startsWith("{") ? fromJson(trimmed) : fromLines(trimmed, model);
  const features = new Map(model.features.map((feature) => [feature.name, feature]));
  const targets = new Set(model.targets.map((target) => target.name));
  const row: Row = { ...from };
  let used = 0;
  for (const [name, value] of pairs) {
    const feature = features.get(name);
    if (!feature) {
      if (targets.has(name) || !trimmed.startsWith("{")) continue; // tables have other columns too
      throw new Error(`The model has no feature "${name}".`);
    }
    row[name] = cell(feature, value);
    ++used;
  }
  if (used === 0) throw new Error(`None of the model's features is in it: ${[...features.keys()].slice(0, 8).join(", ")} …`);
  return row;
}

function fromJson(text: string): [string, unknown][] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error("This begins like JSON but cannot be read as it.");
  }
  const object = (parsed as { row?: object }).row ?? parsed;
  return Object.entries(object as Record<string, unknown>);
}

function fromLines(text: string, model: ModelFacts): [string, unknown][] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const separator = ["\t", ";", ","].find((one) => lines[0]!.includes(one)) ?? ",";
  const names = lines.length > 1 ? cells(lines[0]!, separator) : model.features.map((feature) => feature.name);
  const values = cells(lines[lines.length > 1 ? 1 : 0]!, separator);
  if (lines.length > 2) throw new Error(`These are ${lines.length - 1} rows; paste one, or upload the table below.`);
  if (values.length !== names.length)
    throw new Error(`There are ${values.length} values for ${names.length} ${lines.length > 1 ? "columns" : "features"}.`);
  return names.map((name, i) => [name, values[i]]);
}

/** Cells of a line; one in double quotes may have the separator in it. */
function cells(line: string, separator: string): string[] {
  const found: string[] = [];
  let rest = line;
  for (;;) {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*/.exec(rest);
    const end = quoted ? quoted[0].length : rest.indexOf(separator) < 0 ? rest.length : rest.indexOf(separator);
    found.push(quoted ? quoted[1]!.replaceAll('""', '"') : rest.slice(0, end).trim());
    if (end >= rest.length) return found;
    rest = rest.slice(end + 1);
  }
}

/** As in a CSV file: docs/cli.md has the list. */
const kGaps = new Set(["", "NA", "NaN", "nan", "N/A", "n/a", "null", "NULL", "None", "?", "#N/A", "#NA", "<NA>", "NaT"]);

function cell(feature: Feature, value: unknown): Cell {
  if (value === null || value === undefined || kGaps.has(String(value).trim())) return null;
  if (feature.type === "category") return String(value);
  const number = typeof value === "number" ? value : numberOf(String(value).trim());
  if (!Number.isFinite(number))
    throw new Error(`${feature.name} is a ${feature.dates ? "date" : "number"}, but there stands "${String(value)}".`);
  return number;
}

const kDate = /^(\d{4}-\d\d-\d\d)(?:[T ]([01]\d|2[0-3])(:[0-5]\d)(:[0-5]\d(?:\.\d+)?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)?)?$/;

/** True and false are 1 and 0, dates are seconds since 1970, in UTC without an offset. */
function numberOf(text: string): number {
  if (/^(true|false)$/i.test(text)) return Number(text.toLowerCase() === "true");
  const date = kDate.exec(text);
  if (!date) return Number(text);
  const [, day, hour = "00", minute = ":00", second = ":00", east = "+00", eastMinute = "00"] = date;
  const midnight = new Date(`${day}T00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day!)) return NaN; // 2023-02-29
  return Date.parse(`${day}T${hour}${minute}${second}${east}:${eastMinute}`) / 1000;
}
