import { h } from "../shared/dom";
import { counted, formatterFor, percent, plainNumber } from "../shared/format";
import { againstOutcome, coverageChart, pitChart, reliabilityChart, spreadChart } from "./charts";
import type { Report, Scored } from "./data";
import { chart, figure, help, key, section, tableOf } from "./parts";

export function accuracy(report: Report, t: number, target: Scored): HTMLElement {
  const { scores, references } = target;
  const format = formatterFor(target.spread / 10);
  const at = target.intervals.findIndex((one) => one.level === 0.9);
  const ninety = target.intervals[at]!;
  const bar = (value: number) => h("span", { class: "meter", "aria-hidden": "true" },
    h("i", { style: `width: ${Math.min(100, (100 * value) / Math.max(scores.crps, references.quantiles.crps, references.mean.crps))}%` }));
  const line = (name: string, one: { mae: number; rmse: number; crps: number }, width: string, inside: string) =>
    [name, format(one.mae), h("span", { class: "with-bar" }, bar(one.crps), format(one.crps)), width, inside, format(one.rmse)];
  const ratio = scores.mae / references.quantiles.mae;
  const words = `Beside two forecasts that know nothing of a row and say the same for all of them. ` +
    (ratio < 1 ? `The typical error is ${percent(1 - ratio)} smaller than that of always saying the training median.`
               : `The typical error is no smaller than that of always saying the training median.`);
  return section("accuracy", "Accuracy", words,
    tableOf(`Errors of ${target.name}`, ["Forecast", "Typical error", "CRPS", "90% interval", "Outcomes in it", "Root mean square error"], [
      line("This model", scores, format(ninety.width), percent(ninety.coverage)),
      line("Training quantiles", references.quantiles, format(references.quantiles.widths[at]!), percent(references.quantiles.coverages[at]!)),
      line("Training mean", references.mean, "–", "–"),
    ]),
    figure("Forecast and outcome", `Each dot is a row. On the dashed line forecast and outcome are the same.`,
      chart(`Medians of ${target.name} against outcomes, ${counted(report.sample.outcomes[t]!.length, "row")}; ${percent(Math.max(0, scores.explained))} of the variance is explained`,
        (width) => againstOutcome(report, t, width))),
    help("What these numbers are",
      "Typical error: mean absolute error of the forecast's median.",
      "CRPS judges the whole distribution, in the target's units. It is the typical error of a forecast that is a single number, and less for one that says rightly how sure it is. Lower is better.",
      "90% interval: its mean width. Narrow is good if as many outcomes lie in it as promised.",
      "Root mean square error: of the forecast's mean; large misses count more."));
}

const kNotKept = { narrow: "Too many outcomes fall into the ends of the forecasts: the model is too sure of itself.",
  wide: "Outcomes fall into the middle of the forecasts too often: the model is less sure than it could be.",
  exact: "Forecasts are one number each: there are no parts to fall into." };

function pitWords({ pit, promise }: Scored): string {
  const off = pit.shares.filter((share) => share < pit.low || share > pit.high).length;
  if (promise !== "kept") return kNotKept[promise];
  return off <= 2 ? "Outcomes fall into all parts of the forecasts alike."
    : `Outcomes fall into ${pit.shares.length - off} of ${pit.shares.length} parts of the forecasts as they should; into the others too often or too seldom.`;
}

/** How far the probabilities are from what happened. */
function reliabilityWords(r: Scored["reliability"]): { off: number; words: string } {
  const off = r.level.filter((_, i) => r.below[i]! < r.low[i]! || r.below[i]! > r.high[i]!).length;
  const most = Math.max(...r.level.map((level, i) => Math.abs(r.below[i]! - level)));
  const points = (most * 100).toFixed(1);
  return { off, words: off <= 1 ? "The forecasts' probabilities agree with what happened, as far as chance lets one tell."
    : `The forecasts' probabilities are up to ${points} points (of 100) away from what happened${most < 0.05 ? ": little, but more than chance explains" : ", more than chance explains"}.` };
}

export function calibration(target: Scored): HTMLElement {
  const of = (level: number) => target.intervals.find((one) => one.level === level)!;
  const half = of(0.5), ninety = of(0.9);
  const { reliability: r } = target;
  const { off, words } = reliabilityWords(r);
  return section("calibration", "Calibration: does it keep its promises?",
    `${words} The 50% intervals held ${percent(half.coverage)} of the outcomes, the 90% intervals ${percent(ninety.coverage)}; chance alone allows ${percent(half.low)} to ${percent(half.high)} and ${percent(ninety.low)} to ${percent(ninety.high)}.`,
    h("div", { class: "pair" },
      figure("Reliability", "Where the forecast says an outcome is below a value with this probability, how often was it? On the dashed line the two agree.",
        chart(`Reliability: ${r.level.length - off} of ${r.level.length} levels within the band of chance`, (width) => reliabilityChart(r, width)),
        key("accent", "this model"), key("band", "95% by chance")),
      figure("Where outcomes fall in their forecasts (PIT)", `${pitWords(target)} Flat is good; a valley in the middle is too sure, a hill not sure enough.`,
        chart(`Shares of rows over ${target.pit.shares.length} equal parts of their forecasts, from ${percent(Math.min(...target.pit.shares))} to ${percent(Math.max(...target.pit.shares))}; ${percent(1 / target.pit.shares.length)} each would be even`,
          (width) => pitChart(target.pit, width)),
        key("block", "rows"), key("band", "95% by chance")),
      figure("Coverage against width", "Wider intervals hold more outcomes. The further to the upper left, the more the forecast knows.",
        chart(`At 90% the mean width is ${plainNumber(ninety.width)}, for the training quantiles ${plainNumber(target.references.quantiles.widths[target.intervals.indexOf(ninety)]!)}`,
          (width) => coverageChart(target, width)),
        key("accent", "this model"), key("other", "training quantiles")),
      target.groups.spread.length > 1 ? figure("Does it know when it does not know?", "Rows in ten groups, from the most to the least certain forecasts. On the dashed line errors are as large as forecast.",
        chart(`Errors of the most certain group ${plainNumber(target.groups.error[0]!)}, of the least certain ${plainNumber(target.groups.error.at(-1)!)}`,
          (width) => spreadChart(target.groups, width)),
        key("accent", "groups of rows")) : h("div")),
    help("What the band means", "Rows are few, so that even a perfect forecast does not hit 90% exactly. The grey band holds what a perfect forecast would show in 95 of 100 such samples of independent rows."));
}

export function weakness(target: Scored): HTMLElement {
  if (target.weak.length === 0)
    return section("weak", "Where it is weakest", "No part of the data stands out: errors and coverage are about the same for all values of every feature, as far as these rows can show.");
  const words = (one: Scored["weak"][number]) => one.uncovered
    ? `90% intervals hold only ${percent(one.coverage)}: too sure here`
    : `errors ${one.error_ratio.toFixed(1)} times those elsewhere` + (one.width_ratio > 1.2
      ? `; the model knows: intervals ${one.width_ratio.toFixed(1)} times as wide` : `, but intervals no wider`);
  return section("weak", "Where it is weakest", "Parts of the data in which forecasts are less good than elsewhere, by more than chance.",
    tableOf("Weak spots", ["Rows with", "What is weak", "Rows", "In the 90% interval"],
      target.weak.map((one) => [one.words, words(one), one.rows.toLocaleString("en-US"), percent(one.coverage)]), 2));
}
