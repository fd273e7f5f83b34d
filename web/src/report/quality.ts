import { h, put } from "../shared/dom";
import { counted, leastStep, percentChange, percentWithDecimal, signed } from "../shared/format";
import { coverageChart, differenceChart, drawnReferences, pitChart, spreadChart, widthChart } from "./calibration_charts";
import { againstOutcome, dotsOf, inStacks, spansDecades, timeChart, type Dot } from "./error_charts";
import { coverageCell, errorCell, kFewRows, sliceMap, type MapCell } from "./slice_map";
import { rowCells, type FeatureSlices, type Measured, type Report, type Scored, type ScoredSlice, type Scores } from "./data";
import { errorFormat } from "./digits";
import { range } from "./overview";
import { openRow, openSlice, sampleRow } from "./panel";
import { breakable, chart, figure, help, key, section, segments, tableOf, type TableRow } from "./parts";

const kShort = 18; // characters: "34,300 to −27,400"

/** A number over its 95% interval. */
export function withRange(one: Measured, format: (value: number) => string): HTMLElement {
  const ends = range(one, format);
  return h("span", { class: "measured" }, h("span", {}, format(one[0])), format(one[1]) === format(one[2]) ? null : h("small", { class: ends.length > kShort ? "" : "short" }, ends));
}

export const shownDots = (report: Report): string => report.sample.dots < report.data.used
  ? `${report.sample.dots.toLocaleString("en-US")} of ${counted(report.data.used, "row")} are shown as dots`
  : report.data.used === 1 ? "The row is shown as a dot" : `All ${counted(report.data.used, "row")} are shown as dots`;

function scatter(report: Report, t: number): HTMLElement {
  const place = h("div");
  const show = (log: boolean) => put(place, chart(`Medians of ${report.targets[t]!.name} against outcomes`, (width) => againstOutcome(report, t, width, log),
    { open: (dot: Dot) => openRow(report, t, sampleRow(report, t, dot.i)) }));
  show(false);
  const dots = dotsOf(report, t);
  const stacked = inStacks(dots);
  return figure("Forecast and outcome", `${shownDots(report)}${stacked ? ", larger ones where several have the same values" : ""}. On the dashed line, forecast and outcome are equal. Click a dot to open ${stacked ? "a row of it" : "its row"}.`, place,
    { wide: true, table: () => dots.map((d) => ({ ...rowCells(report, report.sample.rows[d.i]!), median: d.x, outcome: d.y })),
      controls: spansDecades(dots.flatMap((d) => [d.x, d.y])) ? h("div", { class: "controls" }, segments("Scale", ["Linear", "Logarithmic"], (i) => show(i === 1))) : null });
}

export function accuracy(report: Report, t: number, target: Scored): HTMLElement {
  const { scores, references } = target;
  const format = errorFormat(target);
  const longest = Math.max(scores.crps[0], ...references.map((one) => one.scores.crps[0]));
  const bar = (value: number) => h("span", { class: "meter", "aria-hidden": "true" }, h("i", { style: `width: ${(100 * value) / longest}%` }));
  const line = (name: string, one: Scores, difference: string | Node): TableRow => ({ cells: [h("span", { class: "with-bar" }, name, bar(one.crps[0])),
    withRange(one.crps, format), difference, withRange(one.mae, format), withRange(one.rmse, format),
    one.width ? withRange(one.width, format) : "–", one.coverage ? withRange(one.coverage, percentWithDecimal) : "–"] });
  const strongest = references.reduce((a, b) => (a.scores.crps[0] < b.scores.crps[0] ? a : b));
  const gain = 1 - scores.crps[0] / strongest.scores.crps[0];
  const sure = strongest.paired[1] > 0 || strongest.paired[2] < 0;
  const words = `The strongest reference is ${strongest.name === "Trees" ? "the trees" : `the ${strongest.name.toLowerCase()}`}: the CRPS of this model is ${percentChange(Math.abs(gain))} ${gain >= 0 ? "lower" : "higher"}${sure ? "" : ", within sampling error"}. Small numbers are 95% bootstrap intervals.`;
  return section("accuracy", "Accuracy", words,
    tableOf(`Errors of ${target.name}`, ["Forecast", "CRPS", "Model minus this", "Mean absolute error", "Root mean square error", "Width of the 90% interval", "Coverage of the 90% interval"], [
      { ...line("This model", scores, "–"), class: "own" },
      ...references.map((one) => line(one.name, one.scores, withRange(one.paired, (value) => signed(format(value))))),
    ]),
    scatter(report, t),
    help("Definitions",
      "CRPS (continuous ranked probability score): error of the whole distribution, in the units of the target. For a forecast that is a single number it equals the absolute error. Lower is better.",
      "Model minus this: the mean difference of the CRPS over the same rows; below 0 this model is better. If its interval does not contain 0, sampling error does not explain it.",
      "Mean absolute error: of the median of the forecast. Root mean square error: of its mean; large errors count more.",
      "Training distribution and training mean ignore the features. Linear regression (normal errors of one size) and trees (a quantile regression forest) are fitted to these rows in seconds; each row is predicted without itself. The model itself has not seen these rows, so a gain over both is a gain over quick fits to the same data."));
}

function splitFigure(target: Scored): HTMLElement {
  const { calibration, sharpness } = target.split, sum = calibration + sharpness;
  const part = (value: number) => percentWithDecimal(sum > 0 ? value / sum : 0);
  const format = errorFormat(target);
  const size = (value: number) => value === 0 || /[1-9]/.test(format(value)) ? format(value) : `below ${format(leastStep(target.spread / 10))}`;
  return h("div", { class: "split" },
    h("h3", {}, "Where the CRPS comes from"),
    h("div", { class: "split-bar", role: "img", "aria-label": `Calibration ${part(calibration)} of the CRPS, sharpness ${part(sharpness)}` },
      h("i", { class: "cal", style: `flex-grow: ${(100 * calibration) / (sum || 1)}` }), h("i", { style: `flex-grow: ${(100 * sharpness) / (sum || 1)}` })),
    h("div", { class: "legend" }, key("block-other", `calibration ${size(calibration)} (${part(calibration)}): what recalibration could win`),
      key("block", `sharpness ${size(sharpness)} (${part(sharpness)}): what only better forecasts could win`)));
}

/** Coverage along each date among the features. */
function overTime(report: Report, t: number): HTMLElement[] {
  return report.fans.filter((fan) => report.features[fan.feature]!.dates && fan.slices.filter((slice) => slice.rows >= 10 && slice.middle !== undefined).length > 3).map((fan) => {
    const name = report.features[fan.feature]!.name;
    return figure(`Coverage over ${name}`, "Share of outcomes in their 90% interval, in parts of equal size. Coverage that falls over time is a sign of drift.",
      chart(`Coverage of the 90% intervals over ${name}`, (width) => timeChart(report, t, fan, width)),
      { wide: true, legend: [key("accent", "covered"), key("band", "95% band of each part")],
        table: () => fan.slices.map((slice, i) => ({ from: slice.low, to: slice.high, rows: slice.rows, covered: fan.pooled[t]![i]!.covered, expected: fan.pooled[t]![i]!.mass })) });
  });
}

export function calibration(report: Report, t: number, target: Scored): HTMLElement {
  const { calibration: check, groups } = target;
  const of = (level: number) => target.intervals.find((one) => one.level === level)!;
  const size = errorFormat(target);
  const half = of(0.5), ninety = of(0.9);
  const covers = (one: typeof half) => `the ${100 * one.level}% intervals ${percentWithDecimal(one.coverage)} (expected: ${percentWithDecimal(one.mass)})`;
  // The verdict has those already whose coverage is what is wrong.
  const said = [half, ninety].filter((one) => !check.words.includes(`the ${100 * one.level}% intervals cover`));
  const figures = [
    figure("PIT histogram", "Where outcomes lie in their forecasts. Flat is good; high ends mean too narrow, a high middle too wide, a slope biased.",
      chart(`Shares of rows over ${target.pit.shares.length} equal bins of the PIT, from ${percentWithDecimal(Math.min(...target.pit.shares))} to ${percentWithDecimal(Math.max(...target.pit.shares))}`, (width) => pitChart(target.pit, width)),
      { legend: [key("block", "rows"), key("band", "95% band, all bins together")], table: () => target.pit.shares.map((share, i) => ({ from: i / target.pit.shares.length, to: (i + 1) / target.pit.shares.length, share, low: target.pit.low, high: target.pit.high })) }),
    figure("Coverage against width", "Wider intervals cover more. Higher at the same width is better.",
      chart(`At 90% the mean width is ${size(ninety.width)}`, (width) => coverageChart(target, width)),
      { legend: [key("accent", "this model"), ...drawnReferences(target).map((one, i) => key(`other dash-${i}`, one.name.toLowerCase()))],
        table: () => [...target.intervals.map((one) => ({ forecast: "This model", level: one.level, coverage: one.coverage, expected: one.mass, width: one.width })),
          ...drawnReferences(target).flatMap((one) => one.widths!.map((width, i) => ({ forecast: one.name, level: target.intervals[i]!.level, coverage: one.coverages![i], width })))] }),
    groups.spread.length > 1 ? figure("Error against predicted spread", "Rows in ten groups, from the most to the least certain. On the dashed line, errors are as large as predicted.",
      chart(`Errors of the most certain group ${size(groups.error[0]!)}, of the least certain ${size(groups.error.at(-1)!)}`, (width) => spreadChart(target, width)),
      { table: () => groups.spread.map((spread, i) => ({ group: i + 1, spread, error: groups.error[i] })) }) : null,
    figure("Interval widths", "How much the width of the 90% interval differs between rows. A steep line means that all rows get about the same.",
      chart(`Half of the 90% intervals are narrower than ${size(target.widths[20]!)}`, (width) => widthChart(target, width)),
      { table: () => target.widths.map((width, i) => ({ share: i / 40, width })) }),
  ];
  return section("calibration", "Calibration",
    `${check.words} Share of outcomes covered: ${said.map(covers).join(", ")}.`,
    figure("Observed less predicted probabilities", "How much more often outcomes lie below each quantile than predicted. A line inside the band is what a calibrated forecast shows.",
      chart(`The largest difference is ${(100 * check.largest).toFixed(1)} percentage points at the ${Math.round(100 * check.largest_at)}% quantile`,
        (width) => differenceChart([{ name: "this model", check, kind: "accent" }], width)),
      { wide: true, legend: [key("accent", "this model"), key("band", "95% band, all levels together")], table: () => check.level.map((level, i) => ({ level, share: check.share[i], low: check.low[i], high: check.high[i] })) }),
    h("div", { class: "pair" }, ...figures),
    splitFigure(target), ...overTime(report, t),
    help("The test", "The PIT of a row is the rank of its outcome among the samples of its forecast; ties are split at random. For a calibrated forecast it is uniform. Its distribution is compared with the uniform one at 99 levels; the band holds all levels of a calibrated forecast together in 95 of 100 cases, for independent rows.",
      "The verdict names the size of the largest difference first. Differences below 3 percentage points that sampling error does not explain are called nearly calibrated.",
      "Expected coverage is the probability that the forecasts themselves give their interval. Where values repeat it is larger than the level, because an interval includes its ends.",
      "The CRPS is split as by Hersbach (2000)."));
}

export const sliceCells = (report: Report, all: FeatureSlices[], cell: (feature: number, name: string, slice: number, one: ScoredSlice, place: number) => MapCell): MapCell[] =>
  all.flatMap(({ feature, slices }, place) => slices.filter((one) => one.rows > 0).map((one, s) => cell(feature, report.features[feature]!.name, s, one, place)));

export function weakness(report: Report, t: number, target: Scored): HTMLElement {
  const find = (feature: number) => target.slices.find((one) => one.feature === feature)!;
  const spots = target.weak.map((spot) => find(spot.feature).slices[spot.slice]!);
  const words = (one: ScoredSlice) => [
    one.uncovered && `90% intervals cover ${percentWithDecimal(one.coverage)} (expected: ${percentWithDecimal(one.mass)})`,
    one.large_errors && `${one.uncovered ? "errors" : "Errors"} ${one.error_ratio.toFixed(1)} times as large as elsewhere, intervals ${one.width_ratio > 1.2 ? `${one.width_ratio.toFixed(1)} times as wide` : "not wider"}`,
  ].filter(Boolean).join("; ");
  const few = target.slices.some(({ slices }) => slices.some((one) => one.rows > 0 && one.rows < kFewRows));
  const place = h("div");
  const openCell = (cell: MapCell) => openSlice(report, t, find(cell.feature).slices[cell.slice]!);
  const show = (errors: boolean) => put(place, chart(errors ? "Errors of every part of the rows" : "Coverage of every part of the rows",
    (width) => sliceMap(sliceCells(report, target.slices, errors ? errorCell(errorFormat(target)) : coverageCell), width, errors ? "accent" : "other"), { least: 30 + 38 * target.slices.length, open: openCell }));
  show(false);
  return section("weak", "Weak spots", spots.length > 0
    ? "Parts of the rows, by one feature each, where forecasts are worse than elsewhere by more than sampling error. Open one to see its calibration and its rows."
    : "No part of the rows stands out: errors and coverage are about the same for all values of every feature, within sampling error.",
    spots.length > 0 ? tableOf("Weak spots", ["Rows with", "Weakness", "Rows", "Details"], spots.map((one) => ({ cells: [breakable(one.words), words(one), one.rows.toLocaleString("en-US"),
      h("button", { type: "button", class: "quiet", "aria-label": `Open the rows with ${one.words}`, onclick: () => openSlice(report, t, one) }, "Open")] })), 2) : null,
    figure("By feature", "Rows in up to eight parts of about equal size per feature, from low to high values, or by category; missing values last. Coverage of the 90% intervals is in percent, coloured by how far it is from what is expected; errors are multiples of those elsewhere.", place,
      { wide: true, controls: h("div", { class: "controls" }, segments("What is shown", ["Coverage", "Errors"], (i) => show(i === 1))),
        table: () => target.slices.flatMap(({ feature, slices }) => slices.map((one) => ({ feature: report.features[feature]!.name, rows_with: one.words, rows: one.rows, coverage: one.coverage, expected: one.mass, crps: one.crps, error_ratio: one.error_ratio }))),
        legend: [key("block-other", "too few covered, or larger errors"), key("block", "more covered, or smaller errors"), few && key("few", `fewer than ${kFewRows} rows`)] }));
}
