import type { Feature, Row } from "./api";
import { cellText, kSamples, type State } from "./state";

/** The question that the page shows as a command, to ask it elsewhere. All of them compute from the same samples. */

const inShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const csvCell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Dates as text, so that a person can read them and a table has them. */
function written(feature: Feature, cell: Row[string]): Row[string] {
  return cell !== null && feature.type === "number" && feature.dates ? cellText(feature, cell) : cell;
}

const rowOf = ({ model, row }: State): Row =>
  Object.fromEntries(model.features.map((feature) => [feature.name, written(feature, row[feature.name] ?? null)]));

/** Which target's functional is explained; null for a probability. */
const explained = (state: State): string | null => (state.question === "region" ? null : state.target().name);

export function asCurl(state: State, address: string, token: boolean): string {
  const where = state.where();
  const body = where
    ? { row: rowOf(state), of: state.question, ...(explained(state) ? { target: explained(state) } : {}), where, samples: kSamples, background_rows: 200 }
    : { row: rowOf(state), samples: kSamples };
  const header = token ? ` -H "Authorization: Bearer $MIRRORBALL_TOKEN"` : "";
  return `curl -s${header} --json ${inShell(JSON.stringify(body))} \\\n  ${new URL(where ? "v1/explain" : "v1/predict", address)}`;
}

const python = (value: unknown): string =>
  value === null ? "None" : value === true ? "True" : value === false ? "False" : JSON.stringify(value);

export function asPython(state: State): string {
  const { model } = state;
  const cells = Object.entries(rowOf(state)).map(([name, value]) => `    ${python(name)}: [${python(value)}],`);
  const lines = ["import pandas as pd", "from mirrorball import MirrorballRegressor", "",
    `model = MirrorballRegressor.load(${python(`${model.name}.mirrorball`)})`, "row = pd.DataFrame({", ...cells, "})",
    "dist = model.predict_dist(row)",
    "print(dist.quantile(0.5), dist.interval(0.9))"];
  const where = state.where();
  if (where)
    lines.push("", 'train = pd.read_csv("train.csv")  # your training table: the background', `found = model.explain(row, background=train, of=${python(state.question)},` +
      `${explained(state) ? ` target=${python(explained(state))},` : ""} where=${python(where)}, background_rows=200)`, "print(found)");
  return lines.join("\n");
}

export function asCommand(state: State): string {
  const { model } = state;
  const row = rowOf(state);
  const text = (value: Row[string]) => csvCell(value === null ? "" : String(value));
  const table = `${model.features.map(({ name }) => csvCell(name)).join(",")}\n${model.features.map(({ name }) => text(row[name] ?? null)).join(",")}\n`;
  const where = state.where();
  const file = `cat > row.csv <<'END'\n${table}END\n`;
  if (!where) return `${file}mirrorball predict ${inShell(`${model.name}.mirrorball`)} row.csv`;
  return `${file}mirrorball explain ${inShell(`${model.name}.mirrorball`)} row.csv --row 0 --of ${state.question} \\\n` +
    `  --where ${inShell(where)}${explained(state) ? ` --target ${inShell(explained(state)!)}` : ""} \\\n  --background train.csv --background-rows 200`;
}
