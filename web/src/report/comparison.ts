import { counted, estimateFormat, percent, percentWithDecimal, signed } from "../shared/format";
import { differenceChart } from "./calibration_charts";
import { kFewRows, sliceMap, type MapCell } from "./slice_map";
import type { Other, Report, Scored, Scores } from "./data";
import { chart, figure, help, key, section, tableOf } from "./parts";
import { errorFormat } from "./digits";
import { openSlice } from "./panel";
import { sliceCells, withRange } from "./quality";

/** Two models on the same rows. */
export function comparison(report: Report, t: number, target: Scored, other: Other): HTMLElement {
  const second = other.targets[t]!;
  const format = errorFormat(target);
  const line = (name: string, one: Scores, better: number) => ({ cells: [name, withRange(one.crps, format), withRange(one.mae, format), withRange(one.rmse, format),
    withRange(one.width!, format), withRange(one.coverage!, percentWithDecimal), percent(better)] });
  // Differences have digits of their own: they may be far smaller than the scores.
  const change = estimateFormat(Math.max(1e-12, ...second.slices.flat().map((one) => Math.abs(one.difference))));
  const signedChange = (value: number) => (value > 0 ? signed(change(value)) : change(value));
  const cell = (feature: number, name: string, s: number, one: (typeof target.slices)[0]["slices"][0], place: number): MapCell => {
    const d = second.slices[place]![s]!;
    const sure = d.error > 0 ? d.difference / d.error : 0;
    const sign = d.difference > 0 ? "+" : "−";
    // The size of the difference, pale where it may be chance.
    const strength = (d.difference / (0.5 * second.scores.crps[0])) * Math.min(1, Math.abs(sure) / 2);
    return { feature, slice: s, name, few: d.rows < kFewRows, strength, text: signedChange(d.difference), short: sign,
      tip: `${one.words}\n${counted(d.rows, "row")}: CRPS ${change(Math.abs(d.difference))} ${d.difference < 0 ? "lower" : "higher"} with\n${report.model.name} (standard error ${change(d.error)})` };
  };
  const find = (feature: number) => target.slices.find((one) => one.feature === feature)!;
  return section("compare", "Comparison of two models", second.words,
    tableOf(`Scores of both models for ${target.name}`, ["Model", "CRPS", "Mean absolute error", "Root mean square error", "Width of 90% interval", "Coverage", "Better rows"], [
      { ...line(report.model.name, target.scores, second.paired.better), class: "own" }, line(other.name, second.scores, 1 - second.paired.better)]),
    figure("Who wins where", `Difference of the CRPS in parts of the rows. Blue: ${report.model.name} is better. Stronger colours are larger differences; what sampling error may explain is pale.`,
      chart(`Difference of the CRPS of both models by feature`, (width) => sliceMap(sliceCells(report, target.slices, cell), width, "accent"),
        { least: 30 + 38 * target.slices.length, open: (c: MapCell) => openSlice(report, t, find(c.feature).slices[c.slice]!) }),
      { wide: true, legend: [key("block", `${report.model.name} better`), key("block-other", `${other.name} better`)],
        table: () => target.slices.flatMap(({ slices }, place) => slices.map((one, s) => ({ rows_with: one.words, ...second.slices[place]![s]! }))) }),
    figure("Two calibrations", "How much more often outcomes lie below each quantile than predicted, for both models.",
      chart(`Calibration of ${report.model.name} and ${other.name}`, (width) => differenceChart([{ name: report.model.name, check: target.calibration, kind: "accent" }, { name: other.name, check: second.calibration, kind: "other" }], width)),
      { wide: true, legend: [key("accent", `${report.model.name}: ${target.calibration.words.split(":")[0]!.toLowerCase()}`), key("other", `${other.name}: ${second.calibration.words.split(":")[0]!.toLowerCase()}`), key("band", "95% band, all levels together")],
        table: () => target.calibration.level.map((level, i) => ({ level, first: target.calibration.share[i], second: second.calibration.share[i], low: target.calibration.low[i], high: target.calibration.high[i] })) }),
    help("How they are compared", "Both models predict the same rows with the same number of samples. The interval of the difference is a bootstrap over rows, which keeps the pairs together: it is much narrower than the intervals of the two scores. The other sections describe the first model."));
}
