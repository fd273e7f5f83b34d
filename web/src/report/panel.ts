import { h, put } from "../shared/dom";
import { areNames, dateText, formatterFor, percent, percentWithDecimal, trimmed, wholeNumber } from "../shared/format";
import { differenceChart } from "./calibration_charts";
import { dotForecast } from "./forecast_charts";
import { rowName, type Feature, type Report, type ScoredSlice } from "./data";
import { errorFormat, rowErrorFormat, rowFormat } from "./digits";
import { breakable, chart, key, tableOf } from "./parts";

/** What a click opens: a row, or a part of the rows. One panel, from which one leads to the other. */

const kLevels = Array.from({ length: 19 }, (_, k) => (k + 1) / 20);

let dialog: HTMLDialogElement | null = null;

function show(title: string, ...children: (HTMLElement | null | false)[]): void {
  if (!dialog) {
    dialog = h("dialog", { class: "panel", "aria-labelledby": "panel-title" });
    dialog.addEventListener("click", (event) => event.target === dialog && dialog!.close());
    document.body.append(dialog);
  }
  put(dialog, h("div", { class: "panel-body" },
    h("header", {}, h("h2", { id: "panel-title" }, title), h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: () => dialog!.close() }, "✕")),
    ...children));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

/** A cell as a person would write it. */
export function cellText(feature: Feature, value: number | string | null): string {
  if (value === null) return "missing";
  if (typeof value === "string") return value;
  return feature.dates ? dateText(value, feature.high! - feature.low!)
    : !Number.isInteger(value) ? trimmed(formatterFor(feature.spread ?? 1)(value))
    : areNames(feature.low ?? 0, feature.high ?? 0) ? String(value) : wholeNumber(value, (feature.high ?? 0) - (feature.low ?? 0));
}

export const placeWords = (pit: number): string => pit === 0 ? "below all of the forecast" : pit === 1 ? "above all of the forecast" : `above ${percent(pit)} of the forecast`;

function copyable(text: string): HTMLElement {
  const button = h("button", { type: "button", class: "quiet", onclick: () =>
    void navigator.clipboard?.writeText(text).then(() => put(button, "Copied"), () => put(button, "Select and copy")) }, "Copy");
  return h("div", { class: "command" }, h("code", {}, ...text.split(/(?= --)/).map((part) => h("span", { class: /^ --/.test(part) && part.length < 40 ? "flag" : "" }, part))), button);
}

/** Where the explorer has this row, if it is served at its usual address. */
function explorerAddress(report: Report, cells: (number | string | null)[], outcomes: Record<string, number>): string {
  const to = new URLSearchParams();
  cells.forEach((value, i) => {
    const feature = report.features[report.fans[i]!.feature]!;
    if (!feature.dates) to.set(`x.${feature.name}`, value === null ? "" : String(value));
  });
  for (const [name, value] of Object.entries(outcomes)) to.set(`y.${name}`, String(value));
  return `http://127.0.0.1:8080/#${to}`;
}

const shell = (name: string) => (/^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);

export interface RowFacts {
  row: number;
  median: number;
  low: number;
  high: number;
  outcome?: number | undefined;
  crps?: number | undefined;
  pit?: number | undefined;
  cells: (number | string | null)[];
  points: number[];
}

export function openRow(report: Report, t: number, one: RowFacts): void {
  const target = report.targets[t]!;
  const format = rowFormat(target, one);
  const facts = h("dl", { class: "facts" }, ...([
    one.outcome !== undefined && ["Outcome", rowFormat(target, one, "fact")(one.outcome)],
    ["Median", format(one.median)], ["90% interval", `${format(one.low)} to ${format(one.high)}`],
    one.pit !== undefined && ["Outcome lies", placeWords(one.pit)],
    one.crps !== undefined && ["CRPS", rowErrorFormat(target, [one.crps])(one.crps)],
  ].filter(Boolean) as [string, string][]).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
  const outcomes = one.outcome === undefined ? {} : { [target.name]: one.outcome };
  show(rowName(report, one.row, "Row"), facts,
    h("figure", {}, h("figcaption", {}, "Each dot is 5% of the forecast."),
      chart(`Forecast of ${rowName(report, one.row)} as twenty dots`, (width) => dotForecast(one.points, one.outcome, target, width), { least: 150 })),
    tableOf(`Features of ${rowName(report, one.row)}`, ["Feature", "Value"], one.cells.map((value, i) => {
      const feature = report.features[report.fans[i]!.feature]!;
      return { cells: [breakable(feature.name), cellText(feature, value)] };
    })),
    h("div", { class: "ways" }, h("p", {}, "What each feature contributes:"), copyable(`mirrorball explain ${shell(report.model.name)} ${shell(report.data.name)} ${report.id ? `--id ${shell(report.id.column)} ` : ""}--row ${one.row}`),
      h("p", {}, "The row in the explorer, while ", h("code", {}, `mirrorball serve ${report.model.name}`), " runs:"),
      h("a", { href: explorerAddress(report, one.cells, outcomes), target: "_blank", rel: "noreferrer" }, "Open in the explorer")));
}

/** A row of the sample. */
export function sampleRow(report: Report, t: number, i: number): RowFacts {
  const { sample } = report;
  return { row: sample.rows[i]!, median: sample.medians[t]![i]!, low: sample.low[t]![i]!, high: sample.high[t]![i]!,
    outcome: sample.outcomes?.[t]![i], crps: sample.crps?.[t]![i], pit: sample.pit?.[t]![i],
    cells: sample.columns.map((column) => column[i]!), points: sample.points[t]![i]! };
}

export function openSlice(report: Report, t: number, one: ScoredSlice): void {
  const target = report.targets[t]!, error = errorFormat(target);
  const worst = rowErrorFormat(target, one.worst.map((i) => report.sample.crps![t]![i]!));
  const link = (i: number) => h("button", { type: "button", class: "link", onclick: () => openRow(report, t, sampleRow(report, t, i)) }, rowName(report, report.sample.rows[i]!, "Row"));
  show(`Rows with ${one.words}`,
    h("dl", { class: "facts" }, ...([["Rows", one.rows.toLocaleString("en-US")],
      ["90% intervals cover", `${percentWithDecimal(one.coverage)} (expected: ${percentWithDecimal(one.mass)})`],
      ["CRPS", `${error(one.crps)}, ${one.error_ratio.toFixed(2)} × elsewhere`], ["Interval width", `${one.width_ratio.toFixed(2)} × elsewhere`],
    ] as [string, string][]).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    h("h3", {}, "Calibration of these rows"), h("p", { class: "soft" }, one.check.words),
    h("figure", {}, chart(`Observed less predicted probabilities for rows with ${one.words}`, (width) =>
      differenceChart([{ name: "these rows", check: { level: kLevels, ...one.check }, kind: "accent" }], width, 240), { least: 240 }),
      h("div", { class: "legend" }, key("accent", "these rows"), key("band", "95% band, all levels together"))),
    h("h3", {}, "The worst of these rows"),
    tableOf("The worst rows of this part", ["Row", "Outcome", "Median", "90% interval", "CRPS"], one.worst.map((i) => {
      const row = sampleRow(report, t, i), format = rowFormat(target, row);
      return { cells: [link(i), rowFormat(target, row, "fact")(row.outcome!), format(row.median), `${format(row.low)} to ${format(row.high)}`, worst(row.crps!)] };
    })));
}
