import * as Plot from "@observablehq/plot";
import { percent, percentWithDecimal, plainNumber } from "../shared/format";
import { color } from "../shared/theme";
import { plot, shares, square, tip, tipAlong, whole, xAxis, yAxis } from "./axes";
import { type Calibration, type Scored } from "./data";
import { errorFormat } from "./digits";

/** Whether probabilities come true, and how wide intervals are. */

/** Forecast probabilities against observed frequencies, as their difference: the band is of all levels together. */
export function differenceChart(series: { name: string; check: Pick<Calibration, "level" | "share" | "low" | "high">; kind: "accent" | "other" }[], width: number, height = 300): SVGElement {
  const rows = series.flatMap(({ name, check, kind }) => check.level.map((level, i) => ({ name, kind, level, share: check.share[i]!, off: 100 * (check.share[i]! - level),
    low: 100 * (check.low[i]! - level), high: 100 * (check.high[i]! - level) })));
  const first = rows.filter((d) => d.name === series[0]!.name);
  const top = Math.max(1, ...rows.map((d) => Math.abs(d.off)), ...first.map((d) => Math.max(d.high, -d.low))) * 1.12;
  const edge = (level: number) => ({ level, low: 0, high: 0, off: 0 });
  return plot({ width, height,
    x: shares("probability in the forecast", width),
    y: { ...yAxis("observed − predicted, percentage points", [-top, top]), tickFormat: (v: number) => (v > 0 ? `+${plainNumber(v)}` : plainNumber(v)) },
    marks: [
      Plot.areaY([edge(0), ...first, edge(1)], { x: "level", y1: "low", y2: "high", fill: color("ink"), fillOpacity: 0.12 }),
      Plot.ruleY([0], { stroke: color("ink"), strokeDasharray: "4 4", strokeOpacity: 0.7 }),
      ...series.map(({ name, kind }) => Plot.line([edge(0), ...rows.filter((d) => d.name === name), edge(1)],
        { x: "level", y: "off", stroke: color(kind), strokeWidth: 2.25, strokeDasharray: kind === "other" ? "6 4" : undefined })),
      Plot.dot(rows.filter((d) => d.off < d.low || d.off > d.high), { x: "level", y: "off", r: 2.5, fill: (d: (typeof rows)[0]) => color(d.kind) }),
      tipAlong(rows, { x: "level", y: "off", title: (d: (typeof rows)[0]) =>
        `${series.length > 1 ? `${d.name}\n` : ""}${percentWithDecimal(d.share)} of the outcomes lie below the ${whole(d.level)} quantile\n` +
        `${d.off < d.low || d.off > d.high ? "outside" : "within"} the band: ${percentWithDecimal(d.level + d.low / 100)} to ${percentWithDecimal(d.level + d.high / 100)}` }),
    ] });
}

export function pitChart(pit: Scored["pit"], width: number, label = "PIT: share of the forecast below the outcome", height = square(width)): SVGElement {
  const bins = pit.shares.map((share, i) => ({ x1: i / pit.shares.length, x2: (i + 1) / pit.shares.length, x: (i + 0.5) / pit.shares.length, share }));
  const top = Math.max(pit.high, ...pit.shares) * 1.15;
  return plot({ width, height, x: shares(label, width), y: { ...yAxis("share of rows", [0, top]), tickFormat: whole },
    marks: [
      Plot.rectY(bins, { x1: "x1", x2: "x2", y: "share", fill: (d: (typeof bins)[0]) => color(d.share < pit.low || d.share > pit.high ? "other" : "accent"), fillOpacity: 0.55, inset: 0.75 }),
      Plot.rect([pit], { x1: 0, x2: 1, y1: "low", y2: "high", fill: color("ink"), fillOpacity: 0.1 }),
      Plot.ruleY([1 / pit.shares.length], { stroke: color("ink"), strokeDasharray: "4 4" }),
      Plot.ruleY([0], { stroke: color("strong-line") }),
      tipAlong(bins, { x: "x", y: "share", title: (d: (typeof bins)[0]) =>
        `${percentWithDecimal(d.share)} of the outcomes between ${whole(d.x1)} and ${whole(d.x2)}\nexpected: ${percentWithDecimal(1 / bins.length)}, band ${percentWithDecimal(pit.low)} to ${percentWithDecimal(pit.high)}` }),
    ] });
}

const kDashes = ["6 4", "2 3", "10 3 2 3"];
/** References that have a distribution, each with its dashes. */
export const drawnReferences = (target: Scored) => target.references.filter((one) => one.widths).map((one, i) => ({ ...one, dash: kDashes[i % kDashes.length]! }));

const kFarWider = 3;

export function coverageChart(target: Scored, width: number): SVGElement {
  const own = target.intervals.map((one) => ({ name: "This model", width: one.width, coverage: one.coverage, level: one.level }));
  const others = drawnReferences(target).flatMap((one) => one.widths!.map((w, i) =>
    ({ name: one.name, dash: one.dash, width: w, coverage: one.coverages![i]!, level: target.intervals[i]!.level })));
  const all = [...own, ...others];
  const widest = (some: { level: number; width: number }[]) => Math.max(...some.filter((d) => d.level <= 0.95).map((d) => d.width));
  // A reference with far wider intervals leaves the frame: it would press all others against its edge.
  const right = 1.05 * Math.min(widest(all), kFarWider * widest(own) || Infinity) || 1;
  const named = own.filter((d) => d.level === 0.5 || d.level === 0.9);
  return plot({ width, height: square(width), x: xAxis("mean width of the interval", [0, right], width), y: { ...yAxis("coverage", [0, 1]), tickFormat: whole },
    marks: [
      ...drawnReferences(target).map((one) => Plot.line(others.filter((d) => d.name === one.name),
        { x: "width", y: "coverage", stroke: color("other"), strokeWidth: 1.6, strokeDasharray: one.dash, clip: true })),
      Plot.line(own, { x: "width", y: "coverage", stroke: color("accent"), strokeWidth: 2.25, clip: true }),
      Plot.dot(own, { x: "width", y: "coverage", r: 3, fill: color("accent"), clip: true }),
      Plot.text(named, { x: "width", y: "coverage", text: (d: { level: number }) => whole(d.level), dx: 8, dy: 9, textAnchor: "start", fill: color("accent"), stroke: color("card"), strokeWidth: 4, fontWeight: 600 }),
      tip(all.filter((d) => d.width <= right), { x: "width", y: "coverage", title: (d: (typeof own)[0]) =>
        `${d.name}, ${whole(d.level)} intervals\ncover ${percentWithDecimal(d.coverage)}, mean width ${errorFormat(target)(d.width)}` }),
    ] });
}

export function spreadChart(target: Scored, width: number): SVGElement {
  const { groups } = target;
  const rows = groups.spread.map((spread, i) => ({ i, spread, error: groups.error[i]! }));
  const top = Math.max(...groups.spread, ...groups.error) * 1.06 || 1;
  return plot({ width, height: square(width),
    x: xAxis("forecast spread (standard deviation)", [0, top], width), y: yAxis("actual error (root mean square)", [0, top]),
    marks: [
      Plot.line([{ v: 0 }, { v: top }], { x: "v", y: "v", stroke: color("ink"), strokeDasharray: "4 4", strokeOpacity: 0.7 }),
      Plot.line(rows, { x: "spread", y: "error", stroke: color("accent"), strokeWidth: 2 }),
      Plot.dot(rows, { x: "spread", y: "error", r: 3.5, fill: color("accent") }),
      tip(rows, { x: "spread", y: "error", title: (d: (typeof rows)[0]) =>
        `Group ${d.i + 1} of ${rows.length}, from the most certain\npredicted ${errorFormat(target)(d.spread)}, actual ${errorFormat(target)(d.error)}` }),
    ] });
}

/** How wide the 90% intervals are: their share of rows below each width. */
export function widthChart(target: Scored, width: number): SVGElement {
  const rows = target.widths.map((w, i) => ({ w, share: i / (target.widths.length - 1) }));
  const mean = target.scores.width![0];
  const right = Math.max(rows.at(-2)!.w, mean) * 1.05 || 1, late = mean > 0.6 * right;
  return plot({ width, height: square(width), x: xAxis(`width of the 90% interval of ${target.name}`, [0, right], width), y: { ...yAxis("share of rows that are narrower", [0, 1]), tickFormat: whole },
    marks: [
      Plot.areaY(rows, { x: "w", y1: 0, y2: "share", fill: color("accent"), fillOpacity: 0.15, clip: true }), // `y` would stack equal widths
      Plot.line(rows, { x: "w", y: "share", stroke: color("accent"), strokeWidth: 2.25, clip: true }),
      Plot.ruleX([mean], { stroke: color("ink"), strokeDasharray: "4 4" }),
      // The curve rises from the lower left to the upper right: the other two corners are free.
      Plot.text([mean], { x: (d: number) => d, frameAnchor: late ? "top" : "bottom", text: () => `mean ${errorFormat(target)(mean)}`, dx: late ? -6 : 6, dy: late ? 4 : -6,
        textAnchor: late ? "end" : "start", lineAnchor: late ? "top" : "bottom", fill: color("ink"), fontWeight: 600 }),
      tipAlong(rows, { x: "w", y: "share", title: (d: (typeof rows)[0]) => `${percent(d.share)} of the rows have an interval\nnarrower than ${errorFormat(target)(d.w)}` }),
    ] });
}
