import * as Plot from "@observablehq/plot";
import { sorted } from "../shared/density";
import { dateText, forecastFormat, percent, plainNumber } from "../shared/format";
import { color } from "../shared/theme";
import { ends, logAxis, padded, plot, ring, timeAxis, tip, tipAlong, twoLines, whole, xAxis, yAxis } from "./axes";
import { type Fan, type Five, type Report, type Slice, type Target } from "./data";
import { rowFormat } from "./digits";

/** Single forecasts, and forecasts along a feature. */

export interface FanView {
  report: Report;
  fan: Fan;
  index: number;
  target: number;
  pooled: boolean;
  log: boolean;
  width: number;
}

export const sliceName = (slice: Slice) => (slice.missing ? "missing" : slice.others ? "others" : slice.category ?? "");

/** The forecast along a feature: for rows as they are, or with all other features those of one row. */
export function fanChart(view: FanView): SVGElement {
  return view.fan.values ? numberFan(view) : categoryFan(view);
}

const fiveWords = (target: Target, d: { low: number; middle: number; high: number }) => {
  const format = rowFormat(target, { ...d, median: d.middle });
  return `median ${format(d.middle)}, 90% from ${format(d.low)} to ${format(d.high)}`;
};

/** Stretches of equal kind, which share their ends so that lines do not break. */
function stretches<T extends { near: boolean }>(rows: T[]): { near: boolean; rows: T[] }[] {
  const all: { near: boolean; rows: T[] }[] = [];
  for (const row of rows) {
    const last = all.at(-1);
    if (last && last.near === row.near) last.rows.push(row);
    else all.push({ near: row.near, rows: last ? [last.rows.at(-1)!, row] : [row] });
  }
  return all;
}

function numberFan({ report, fan, index, target, pooled, log, width }: FanView): SVGElement {
  if (pooled && !fan.slices.some((slice) => slice.middle !== undefined)) pooled = false; // all values are missing
  const feature = report.features[fan.feature]!;
  const unit = feature.dates ? 1000 : 1;
  const value = (x: number) => (feature.dates ? dateText(x / 1000, feature.high! - feature.low!) : plainNumber(x, feature.high! - feature.low!));
  const five = (q: Five, x: number, near: boolean) => ({ x: unit * x, low: q[0], q1: q[1], middle: q[2], q3: q[3], high: q[4], near });
  const ranges = fan.slices.map((slice, i) => ({ slice, i })).filter(({ slice }) => slice.middle !== undefined);
  const bands = pooled ? ranges.map(({ slice, i }) => five(fan.pooled[target]![i]!.forecast, slice.middle!, true))
                       : fan.values!.map((x, i) => five(fan.typical[target]![i]!, x, fan.near[i] === 1));
  const seen = pooled ? ranges.flatMap(({ slice, i }) => {
    const { outcome } = fan.pooled[target]![i]!;
    return outcome && slice.rows >= 5 ? [five(outcome, slice.middle!, true)] : [];
  }) : [];
  const x = padded(ends(bands.map((d) => d.x)), 0.02);
  const own = report.sample.columns[index]!;
  const inside = (at: unknown): at is number => typeof at === "number" && unit * at >= x[0] && unit * at <= x[1];
  const dots = pooled && report.data.scored
    ? Array.from({ length: report.sample.dots }, (_, i) => i).flatMap((i) => (inside(own[i]) ? [{ i, x: unit * (own[i] as number), y: report.sample.outcomes![target]![i]! }] : [])) : [];
  const rug = own.slice(0, report.sample.dots).filter(inside).map((at) => unit * at);
  const shown = [...bands.flatMap((d) => [d.low, d.high]), ...seen.flatMap((d) => [d.low, d.high])];
  const y = log && Math.min(...shown) > 0 ? ends(shown.flatMap((v) => [v / 1.1, v * 1.1])) : padded(ends(shown), 0.12);
  const axis = yAxis(report.targets[target]!.name, y);
  const parts = stretches(bands);
  return plot({ width, height: Math.min(440, Math.max(280, width * 0.46)), marginLeft: 60,
    x: (feature.dates ? timeAxis : xAxis)(feature.name, x, width), y: log && Math.min(...shown) > 0 ? logAxis(axis) : axis,
    marks: [
      Plot.dot(dots, { x: "x", y: "y", r: 1.8, fill: color("ink"), fillOpacity: 0.3, clip: true }),
      ...parts.flatMap(({ near, rows }) => [
        Plot.areaY(rows, { x: "x", y1: "low", y2: "high", fill: color(near ? "accent" : "strong-line"), fillOpacity: near ? 0.18 : 0.1, clip: true }),
        Plot.areaY(rows, { x: "x", y1: "q1", y2: "q3", fill: color(near ? "accent" : "strong-line"), fillOpacity: near ? 0.28 : 0.1, clip: true }),
        Plot.line(rows, { x: "x", y: "middle", stroke: color(near ? "accent" : "strong-line"), strokeWidth: near ? 3 : 1.5, strokeDasharray: near ? undefined : "2 4", clip: true }),
      ]),
      ...(["low", "high"] as const).map((end) =>
        Plot.line(seen, { x: "x", y: end, stroke: color("other"), strokeWidth: 1.5, strokeDasharray: "5 4", clip: true })),
      Plot.line(seen, { x: "x", y: "middle", stroke: color("other"), strokeWidth: 1.5, strokeDasharray: "5 6", clip: true }),
      Plot.ruleX(rug, { x: (d: number) => d, y1: y[0], y2: log && Math.min(...shown) > 0 ? y[0] * (y[1] / y[0]) ** 0.022 : y[0] + 0.022 * (y[1] - y[0]), stroke: color("ink"), strokeOpacity: 0.28 }),
      ring(dots, "x", "y"),
      tipAlong(bands, { x: "x", y: "middle", title: (d: (typeof bands)[0]) =>
        `${feature.name} ${value(d.x)}\n${fiveWords(report.targets[target]!, d)}${d.near ? "" : "\nno rows of the data near: extrapolation"}` }),
    ] });
}

function categoryFan({ report, fan, target, pooled, width }: FanView): SVGElement {
  const five = (q: Five, x: string, near: boolean) => ({ x, low: q[0], q1: q[1], middle: q[2], q3: q[3], high: q[4], near });
  const bands = pooled ? fan.slices.map((slice, i) => five(fan.pooled[target]![i]!.forecast, sliceName(slice), true))
                       : fan.categories!.map((category, i) => five(fan.typical[target]![i]!, category, fan.near[i] === 1));
  const seen = pooled ? fan.slices.flatMap((slice, i) => {
    const { outcome } = fan.pooled[target]![i]!;
    return outcome && slice.rows >= 5 ? [five(outcome, sliceName(slice), true)] : [];
  }) : [];
  const domain = padded(ends([...bands, ...seen].flatMap((d) => [d.low, d.high])), 0.08);
  const longest = Math.max(...bands.flatMap((d) => twoLines(d.x).split("\n").map((part) => part.length)));
  const fill = (d: { near: boolean }) => color(d.near ? "accent" : "strong-line");
  return plot({ width, height: 60 + 34 * bands.length, marginLeft: Math.min(150, 20 + 7 * longest),
    x: { ...xAxis(report.targets[target]!.name, domain, width), grid: true },
    y: { type: "band", domain: bands.map((d) => d.x), label: null, tickSize: 0, tickFormat: twoLines, padding: 0.35 },
    marks: [
      Plot.barX(bands, { y: "x", x1: "low", x2: "high", fill, fillOpacity: 0.2 }),
      Plot.barX(bands, { y: "x", x1: "q1", x2: "q3", fill, fillOpacity: 0.32 }),
      Plot.tickX(bands, { y: "x", x: "middle", stroke: fill, strokeWidth: 3 }),
      Plot.ruleY(seen, { y: "x", x1: "low", x2: "high", stroke: color("other"), strokeWidth: 1.5, strokeDasharray: "5 4" }),
      Plot.dot(seen, { y: "x", x: "middle", r: 4.5, symbol: "diamond", fill: color("other") }),
      tip(bands, { y: "x", x: "middle", title: (d: (typeof bands)[0]) => `${d.x}\n${fiveWords(report.targets[target]!, d)}${d.near ? "" : "\nno rows of the data near: extrapolation"}` }),
    ] });
}

/** Twenty dots, each of 5% of the forecast. */
export function dotForecast(points: number[], outcome: number | undefined, { name: label, decimals, spread }: Pick<Target, "name" | "decimals" | "spread">, width: number): SVGElement {
  const format = forecastFormat(sorted(points), "value", decimals, spread);
  const domain = padded(ends([...points, ...(outcome === undefined ? [] : [outcome])]), 0.08);
  const r = 5, bins = Math.max(8, Math.floor((width - 60) / (2 * r + 1)));
  const step = (domain[1] - domain[0]) / bins;
  const heights = new Map<number, number>();
  const dots = points.map((value) => {
    const bin = Math.floor((value - domain[0]) / step);
    const height = heights.get(bin) ?? 0;
    heights.set(bin, height + 1);
    return { x: domain[0] + (bin + 0.5) * step, y: height + 0.5, value };
  });
  const top = Math.max(6, ...heights.values()) + 1;
  return plot({ width, height: 60 + top * (2 * r + 1), marginLeft: 14, x: xAxis(label, domain, width), y: { axis: null, domain: [0, top] },
    marks: [
      Plot.dot(dots, { x: "x", y: "y", r, fill: color("accent"), fillOpacity: 0.75 }),
      Plot.ruleY([0], { stroke: color("strong-line") }),
      outcome === undefined ? null : Plot.ruleX([outcome], { stroke: color("other"), strokeWidth: 1.75, strokeDasharray: "2 3" }),
      outcome === undefined ? null : Plot.text([outcome], { x: (d: number) => d, frameAnchor: "top", text: () => "outcome", dy: -12, fill: color("other"), fontWeight: 600 }),
      tip(dots, { x: "x", y: "y", title: (d: (typeof dots)[0]) => `5% of the forecast, at ${format(d.value)}` }),
    ] });
}

/** The distribution function of samples in ascending order. */
export function cdfPlot(ordered: ArrayLike<number>, domain: [number, number], outcome: number | undefined, { name: label, decimals, spread }: Pick<Target, "name" | "decimals" | "spread">, width: number, height: number): SVGElement {
  const format = forecastFormat(ordered, "value", decimals, spread);
  const rows = Array.from({ length: ordered.length }, (_, i) => ({ x: ordered[i]!, p: (i + 1) / ordered.length }));
  return plot({ width, height, marginLeft: 40, marginBottom: 40, x: xAxis(label, domain, width), y: { domain: [0, 1], label: null, ticks: 3, tickFormat: whole, tickSize: 0, grid: true },
    marks: [
      Plot.line([{ x: domain[0], p: 0 }, ...rows, { x: domain[1], p: 1 }], { x: "x", y: "p", curve: "step-after", stroke: color("accent"), strokeWidth: 2, clip: true }),
      outcome === undefined ? null : Plot.ruleX([outcome], { stroke: color("other"), strokeWidth: 1.75, strokeDasharray: "2 3" }),
      tipAlong(rows, { x: "x", y: "p", title: (d: (typeof rows)[0]) => `${percent(d.p)} at or below ${format(d.x)}` }),
    ] });
}
