import { h, put } from "../shared/dom";
import { density, quantile, sorted } from "../shared/density";
import { counted, estimateFormat, grouped } from "../shared/format";
import { densityPlot, planePlot } from "../shared/plots";
import { color } from "../shared/theme";
import { pitChart } from "./calibration_charts";
import { cdfPlot, fanChart, sliceName } from "./forecast_charts";
import { rowName, type Joint, type Picked, type Report } from "./data";
import { rowFormat } from "./digits";
import { cellText, openRow, placeWords } from "./panel";
import { breakable, chart, choice, figure, key, section, segments } from "./parts";
import { shownDots } from "./quality";

/** Features by what they do to the mean, so that the first choice is the one to look at. */
function byImportance(report: Report, t: number): number[] {
  const order = report.fans.map((_, i) => i);
  const size = (i: number) => report.targets[t]!.drivers?.mean[report.fans[i]!.feature]!.size ?? 0;
  return order.sort((a, b) => size(b) - size(a));
}

/** The feature one looks at stays when the target changes. */
let lastFeature: string | null = null;

export function fans(report: Report, t: number): HTMLElement | null {
  const order = byImportance(report, t);
  if (order.length === 0) return null;
  const names = order.map((i) => report.features[report.fans[i]!.feature]!.name);
  const target = report.targets[t]!;
  let shown = Math.max(0, names.indexOf(lastFeature ?? "")), pooled = true, log = false;
  const words = h("p", { class: "lede", "aria-live": "polite" });
  const place = h("div", { class: "fan" });
  const show = () => {
    const index = order[shown]!, fan = report.fans[index]!, name = names[shown]!;
    const missing = fan.values ? fan.slices.find((slice) => slice.missing)?.rows ?? 0 : 0;
    const far = fan.near.filter((near) => near === 0).length;
    put(words, pooled
      ? `Forecasts of ${target.name} for the rows of the data, grouped by ${name}${report.data.scored ? ", with their outcomes" : ""}.${missing ? ` ${counted(missing, "row")} with a missing value ${missing === 1 ? "is" : "are"} not shown.` : ""}`
      : `Forecasts of ${target.name} as ${name} varies and all other features are those of ${rowName(report, report.base_row)}, the most typical row of the data. ` +
        (far === 0 ? "Rows of the data lie near everywhere." : `Grey and dotted: no rows of the data are near, the forecast extrapolates (${far} of ${fan.near.length} values).`));
    const seen = pooled && report.data.scored;
    const picture = chart(words.textContent!, (width) => fanChart({ report, fan, index, target: t, pooled, log, width }), { least: 300 });
    picture.dataset.feature = name;
    put(place, figure(`${target.name} along ${name}`, seen && fan.values ? `${shownDots(report)}.` : "", picture, { wide: true,
      legend: [key("accent", "median"), key("half", "50% interval"), key("most", "90% interval"), !pooled && far > 0 && key("grey", "no rows near"),
        seen && key("other", fan.values ? "outcomes: median, 5% and 95%" : "outcomes: median (◆), 5% to 95%"), seen && !!fan.values && key("dot", "some outcomes"),
        !!fan.values && key("rug", "values in the data")],
      table: () => pooled ? fan.slices.map((slice, i) => ({ [name]: slice.middle ?? sliceName(slice), rows: slice.rows, ...named(fan.pooled[t]![i]!.forecast, "forecast"), ...(fan.pooled[t]![i]!.outcome ? named(fan.pooled[t]![i]!.outcome!, "outcome") : {}) }))
        : fan.near.map((near, i) => ({ [name]: fan.values?.[i] ?? fan.categories![i], near, ...named(fan.typical[t]![i]!, "forecast") })) }));
  };
  show();
  const left = report.features.length - report.fans.length;
  const positive = report.fans.every((fan) => fan.typical[t]!.every((q) => q[0] > 0)) && (target.low ?? -1) > 0;
  return section("fan", "Forecasts along a feature", null,
    h("div", { class: "controls" }, choice("Feature", names, (i) => { shown = i; lastFeature = names[i]!; show(); }, shown),
      segments("Which rows", ["Rows of the data", "Other features fixed"], (i) => { pooled = i === 0; show(); }),
      positive ? segments("Scale", ["Linear", "Logarithmic"], (i) => { log = i === 1; show(); }) : null),
    words, place,
    left > 0 ? h("p", { class: "soft small" }, `The ${report.fans.length} most important features; ${left} others are omitted to keep the file small.`) : null);
}

const named = (q: readonly number[], what: string) => Object.fromEntries([5, 25, 50, 75, 95].map((level, i) => [`${what}_${level}`, q[i]!]));

function rowCard(report: Report, t: number, one: Picked, important: number[], cdf: boolean): HTMLElement {
  const target = report.targets[t]!;
  const format = rowFormat(target, one), fact = rowFormat(target, one, "fact");
  const ordered = sorted(one.draws);
  // One sample in two hundred may lie outside: far ones would make a needle of the rest.
  const shown = [quantile(ordered, 0.005), quantile(ordered, 0.995), ...(one.outcome === undefined ? [] : [one.outcome])];
  // A forecast of nearly a single value has no width of its own.
  const single = quantile(ordered, 0.025) === quantile(ordered, 0.975);
  const room = Math.max((Math.max(...shown) - Math.min(...shown)) * 0.14, single ? Math.max(target.spread * 0.05, 1.2 * 10 ** -(target.decimals ?? Infinity)) : 0) || target.spread * 0.02 || 1;
  const domain: [number, number] = [Math.min(...shown) - room, Math.max(...shown) + room];
  const cell = (index: number) => {
    const feature = report.features[report.fans[index]!.feature]!;
    return h("div", {}, h("dt", {}, breakable(feature.name)), h("dd", {}, cellText(feature, one.cells[index]!)));
  };
  const points = Array.from({ length: 20 }, (_, i) => quantile(ordered, (i + 0.5) / 20));
  return h("article", { class: "row-card" },
    h("h4", {}, h("button", { type: "button", class: "link", onclick: () => openRow(report, t, { ...one, points }) }, rowName(report, one.row, "Row"))),
    one.outcome !== undefined && h("p", {}, "Outcome ", h("strong", {}, fact(one.outcome))),
    h("p", { class: "soft" }, `Median ${format(one.median)}, 90% from ${format(one.low)} to ${format(one.high)}`),
    chart(`Forecast of ${rowName(report, one.row)}: median ${format(one.median)}${one.outcome === undefined ? "" : `; the outcome ${fact(one.outcome)} lies ${placeWords(one.pit!)}`}`, (width) => {
      if (cdf) return cdfPlot(ordered, domain, one.outcome, target, width, 170);
      const shape = density(ordered, domain, [target.low ?? null, target.high ?? null], 200);
      return densityPlot([{ density: shape, color: color("accent") }], { width, height: 160, domain, top: shape.top * 1.15, label: target.name, decimals: target.decimals,
        marks: one.outcome === undefined ? [] : [{ at: one.outcome, text: "outcome", color: color("other") }] }).element;
    }, { least: 160 }),
    h("dl", { class: "cells small" }, ...important.slice(0, 5).map(cell)));
}

export function rows(report: Report, t: number): HTMLElement | null {
  const target = report.targets[t]!;
  if (target.best.length === 0) return null;
  const important = byImportance(report, t);
  const place = h("div");
  const group = (title: string, picked: Picked[], cdf: boolean) => h("div", { class: "row-group" }, h("h3", {}, title),
    h("div", { class: "row-cards" }, ...picked.map((one) => rowCard(report, t, one, important, cdf))));
  const scored = report.data.scored;
  const show = (cdf: boolean) => put(place, group(scored ? "Worst" : "Least certain", target.worst, cdf), group(scored ? "Best" : "Most certain", target.best, cdf));
  show(false);
  return section("rows", scored ? "Best and worst predicted rows" : "Most and least certain rows", scored
    ? "Rows among those with the largest and the smallest CRPS that differ from each other. Check the worst ones for errors in the data or for information that the features lack."
    : "Rows among those with the widest and the narrowest forecasts that differ from each other.",
    h("div", { class: "controls" }, segments("Drawn as", ["Density", "Distribution function"], (i) => show(i === 1))), place);
}

/** Scores of all targets together, and whether joint outcomes lie in their forecasts as they should. */
function jointQuality(report: Report, together: Joint): HTMLElement {
  const ranks = together.ranks!;
  const off = ranks.shares.filter((share) => share < ranks.low || share > ranks.high).length;
  return h("div", { class: "pair joint-quality" },
    figure("Multivariate ranks", `Rank of each outcome among the joint samples, averaged over targets. ${off === 0 ? "Flat, as for a calibrated joint forecast." : "Not flat: the joint forecast is not calibrated."}`,
      chart(`Shares of rows over ${ranks.shares.length} equal bins of the multivariate rank`, (width) => pitChart(ranks, width, "average rank")),
      { legend: [key("block", "rows"), key("band", "95% band, all bins together")], table: () => ranks.shares.map((share, i) => ({ from: i / ranks.shares.length, share, low: ranks.low, high: ranks.high })) }),
    h("dl", { class: "facts" },
      h("div", {}, h("dt", {}, "Energy score"), h("dd", {}, estimateFormat(together.energy_score!)(together.energy_score!)), h("dd", { class: "soft small" }, `error of the joint distribution of ${counted(report.targets.length, "target")}, in their units`)),
      h("div", {}, h("dt", {}, "Variogram score"), h("dd", {}, estimateFormat(together.variogram_score!)(together.variogram_score!)), h("dd", { class: "soft small" }, "of the differences between targets, each by its training spread: large where the dependence is wrong"))));
}

export function joint(report: Report, together: Joint): HTMLElement {
  const names = report.targets.map((one) => one.name);
  const pairs = names.flatMap((_, a) => names.slice(a + 1).map((_, i) => [a, a + 1 + i] as const));
  const place = h("div");
  const words = h("p", { class: "lede", "aria-live": "polite" });
  let pair = 0, row = 0;
  const kPlaces: Record<string, string> = report.data.scored
    ? { 0.5: "in the middle", 0.1: "well predicted", 0.9: "badly predicted", 0.99: "among the worst 1%", 1: "the worst" }
    : { 0.5: "of medium certainty", 0.1: "quite certain", 0.9: "quite uncertain", 0.99: "among the least certain 1%", 1: "the least certain" };
  const show = () => {
    const [a, b] = pairs[pair]!, one = together.rows[row]!;
    const said = together.correlation[a * names.length + b]!, seen = together.observed_correlation?.[a * names.length + b];
    put(words, `The mean correlation of ${names[a]} and ${names[b]} within the forecast of a row is ${grouped(said, 2)}` +
      (seen === undefined ? "." : `; the correlation of the forecast errors is ${grouped(seen, 2)}. `) +
      (seen === undefined ? "" : Math.abs(said - seen) < 0.15 ? "The two agree." : "The two differ: the dependence between the targets is not predicted well."));
    const domain = (t: number): [number, number] => {
      const ordered = sorted(one.draws[t]!);
      const ends = [quantile(ordered, 0.02), quantile(ordered, 0.98), ...(one.outcome ? [one.outcome[t]!] : [])];
      const room = (Math.max(...ends) - Math.min(...ends)) * 0.18 || report.targets[t]!.spread * 0.02 || 1;
      return [Math.min(...ends) - room, Math.max(...ends) + room];
    };
    put(place, figure(`${names[a]} and ${names[b]} of ${rowName(report, one.row)}`, "", chart(`Joint samples of ${names[a]} and ${names[b]} for ${rowName(report, one.row)}`, (width) => {
      const made = planePlot([{ x: one.draws[a]!, y: one.draws[b]!, color: color("accent") }], { width, height: Math.min(460, Math.max(280, width * 0.6)),
        xDomain: domain(a), yDomain: domain(b), xLabel: names[a]!, yLabel: names[b]! });
      if (one.outcome) {
        const mark = document.createElementNS("http://www.w3.org/2000/svg", "path");
        const [x, y] = [made.x.toPixel(one.outcome[a]!), made.y.toPixel(one.outcome[b]!)];
        mark.setAttribute("d", `M${x - 8},${y}h16M${x},${y - 8}v16`);
        mark.setAttribute("style", `stroke: ${color("other")}; stroke-width: 3`);
        made.element.append(mark);
      }
      return made.element;
    }, { least: 300 }), { wide: true, legend: [key("accent", "contours contain 25, 50, 75 and 90% of the forecast"), !!one.outcome && key("cross", "outcome")],
      table: () => one.draws[a]!.map((x, i) => ({ [names[a]!]: x, [names[b]!]: one.draws[b]![i] })) }));
  };
  show();
  return section("joint", "Targets together", null,
    h("div", { class: "controls" },
      pairs.length > 1 && choice("Targets", pairs.map(([a, b]) => `${names[a]} and ${names[b]}`), (i) => { pair = i; show(); }),
      choice("Row", together.rows.map((one) => `${report.id ? rowName(report, one.row) : one.row}, ${kPlaces[String(one.place)]}`), (i) => { row = i; show(); })),
    words, place, together.ranks ? jointQuality(report, together) : null);
}
