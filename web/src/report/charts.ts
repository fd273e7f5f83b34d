import * as Plot from "@observablehq/plot";
import { ticksFor } from "../shared/format";
import { color } from "../shared/theme";
import type { Fan, Five, Member, Report, Scored, Slice } from "./data";

/** The pictures of the report; each is made for a width and stands beside words that say the same. */

const whole = (share: number) => `${Math.round(share * 100)}%`;
const ticks = (width: number) => Math.max(3, Math.min(9, Math.floor(width / 80)));
const nicely = (values: number[]): [number, number] => [Math.min(...values), Math.max(...values)];

function plot(options: Plot.PlotOptions): SVGElement {
  const made = Plot.plot({ marginLeft: 52, marginRight: 12, marginTop: 26, marginBottom: 42, ...options,
    style: { color: color("soft"), fontSize: "12px", background: "none" } });
  made.setAttribute("aria-hidden", "true"); // what it shows is said in words
  return made as SVGElement;
}

const xAxis = (label: string, domain: [number, number], width: number): Plot.ScaleOptions => ({
  label, labelAnchor: "center", labelArrow: "none", domain, ticks: ticks(width), tickFormat: ticksFor(domain), tickSize: 4 });
/** Of dates, in milliseconds. */
const timeAxis = (label: string, domain: [number, number], width: number): Plot.ScaleOptions => ({
  label, labelAnchor: "center", labelArrow: "none", type: "utc", domain, ticks: ticks(width) / 1.5, tickSize: 4 });
const yAxis = (label: string, domain: [number, number]): Plot.ScaleOptions => ({
  label, labelArrow: "none", domain, ticks: 5, tickFormat: ticksFor(domain), tickSize: 0, grid: true });

/** Room around what is shown. */
function padded([low, high]: [number, number], share = 0.04): [number, number] {
  const room = (high - low) * share || Math.abs(low) * 0.1 || 1;
  return [low - room, high + room];
}

export function learningCurves(history: Member[], width: number): SVGElement {
  const lines = history.flatMap((member, i) =>
    (["train", "valid"] as const).flatMap((kind) =>
      member[kind].map((y, j) => ({ key: `${i}${kind}`, kind, x: j * member.step + 1, y }))));
  const best = history.flatMap((member) => {
    const at = Math.floor((member.best - 1) / member.step);
    const y = (member.valid.length ? member.valid : member.train)[at];
    return member.best > 0 && y !== undefined ? [{ x: member.best, y }] : [];
  });
  const late = lines.filter((d) => d.x > 1).map((d) => d.y);
  const y = padded(nicely(late.length ? late : lines.map((d) => d.y)));
  return plot({ width, height: 300,
    x: xAxis("epoch", [1, Math.max(2, ...lines.map((d) => d.x))], width), y: { ...yAxis("energy score", y), clamp: true },
    marks: [
      Plot.line(lines.filter((d) => d.kind === "train"), { x: "x", y: "y", z: "key", stroke: color("strong-line"), strokeWidth: 1.1, strokeOpacity: 0.8, clip: true }),
      Plot.line(lines.filter((d) => d.kind === "valid"), { x: "x", y: "y", z: "key", stroke: color("accent"), strokeWidth: 1.7, clip: true }),
      Plot.dot(best, { x: "x", y: "y", r: 4, fill: color("card"), stroke: color("accent"), strokeWidth: 2 }),
    ] });
}

export function againstOutcome(report: Report, t: number, width: number): SVGElement {
  const target = report.targets[t]!;
  const dots = report.sample.outcomes[t]!.map((y, i) => ({ x: report.sample.medians[t]![i]!, y }));
  const domain = padded(nicely(dots.flatMap((d) => [d.x, d.y])));
  return plot({ width, height: Math.min(420, Math.max(280, width * 0.8)),
    x: xAxis(`forecast: median of ${target.name}`, domain, width), y: yAxis(`outcome: ${target.name}`, domain),
    marks: [
      Plot.line([domain[0], domain[1]].map((v) => ({ v })), { x: "v", y: "v", stroke: color("ink"), strokeDasharray: "4 4", strokeOpacity: 0.7 }),
      Plot.dot(dots, { x: "x", y: "y", r: 2.6, fill: color("accent"), fillOpacity: 0.38 }),
    ] });
}

export function pitChart(pit: Scored["pit"], width: number): SVGElement {
  const bins = pit.shares.map((share, i) => ({ x1: i / pit.shares.length, x2: (i + 1) / pit.shares.length, share }));
  const top = Math.max(pit.high, ...pit.shares) * 1.15;
  return plot({ width, height: 260,
    x: { ...xAxis("share of the forecast below the outcome", [0, 1], width), tickFormat: whole },
    y: { ...yAxis("share of rows", [0, top]), tickFormat: whole },
    marks: [
      Plot.rectY(bins, { x1: "x1", x2: "x2", y: "share", fill: color("accent"), fillOpacity: 0.55, inset: 0.75 }),
      Plot.rect([pit], { x1: 0, x2: 1, y1: "low", y2: "high", fill: color("ink"), fillOpacity: 0.1 }),
      Plot.ruleY([1 / pit.shares.length], { stroke: color("ink"), strokeDasharray: "4 4" }),
      Plot.ruleY([0], { stroke: color("strong-line") }),
    ] });
}

export function reliabilityChart(one: Scored["reliability"], width: number): SVGElement {
  const rows = one.level.map((level, i) => ({ level, below: one.below[i]!, low: one.low[i]!, high: one.high[i]! }));
  const ends = [{ level: 0, low: 0, high: 0 }, ...rows, { level: 1, low: 1, high: 1 }];
  return plot({ width, height: Math.min(380, Math.max(260, width * 0.72)),
    x: { ...xAxis("probability in the forecast", [0, 1], width), tickFormat: whole }, y: { ...yAxis("share of outcomes below", [0, 1]), tickFormat: whole },
    marks: [
      Plot.areaY(ends, { x: "level", y1: "low", y2: "high", fill: color("ink"), fillOpacity: 0.2 }),
      Plot.line([{ v: 0 }, { v: 1 }], { x: "v", y: "v", stroke: color("ink"), strokeDasharray: "4 4", strokeOpacity: 0.7 }),
      Plot.line(rows, { x: "level", y: "below", stroke: color("accent"), strokeWidth: 2 }),
      Plot.dot(rows, { x: "level", y: "below", r: 3, fill: color("accent") }),
    ] });
}

export function coverageChart(target: Scored, width: number): SVGElement {
  const own = target.intervals.map((one) => ({ width: one.width, coverage: one.coverage, level: one.level }));
  const blind = target.references.quantiles.widths.map((w, i) => ({ width: w, coverage: target.references.quantiles.coverages[i]! }));
  const right = Math.max(...own.map((d) => d.width), ...blind.map((d) => d.width)) * 1.05 || 1;
  const named = own.filter((d) => d.level === 0.5 || d.level === 0.9);
  return plot({ width, height: Math.min(380, Math.max(260, width * 0.72)),
    x: xAxis("mean width of the interval", [0, right], width), y: { ...yAxis("outcomes inside", [0, 1]), tickFormat: whole },
    marks: [
      Plot.line(blind, { x: "width", y: "coverage", stroke: color("other"), strokeWidth: 1.75, strokeDasharray: "6 4" }),
      Plot.line(own, { x: "width", y: "coverage", stroke: color("accent"), strokeWidth: 2.25 }),
      Plot.dot(own, { x: "width", y: "coverage", r: 3, fill: color("accent") }),
      Plot.text(named, { x: "width", y: "coverage", text: (d: { level: number }) => whole(d.level), dx: 8, dy: 9, textAnchor: "start", fill: color("accent"), fontWeight: 600 }),
    ] });
}

export function spreadChart(groups: Scored["groups"], width: number): SVGElement {
  const rows = groups.spread.map((spread, i) => ({ spread, error: groups.error[i]! }));
  const top = Math.max(...groups.spread, ...groups.error) * 1.06 || 1;
  return plot({ width, height: Math.min(380, Math.max(260, width * 0.72)),
    x: xAxis("forecast spread (standard deviation)", [0, top], width), y: yAxis("actual error (root mean square)", [0, top]),
    marks: [
      Plot.line([{ v: 0 }, { v: top }], { x: "v", y: "v", stroke: color("ink"), strokeDasharray: "4 4", strokeOpacity: 0.7 }),
      Plot.line(rows, { x: "spread", y: "error", stroke: color("accent"), strokeWidth: 2 }),
      Plot.dot(rows, { x: "spread", y: "error", r: 3.5, fill: color("accent") }),
    ] });
}

export interface FanView {
  report: Report;
  fan: Fan;
  index: number;
  target: number;
  pooled: boolean;
  width: number;
}

const sliceName = (slice: Slice) => (slice.gap ? "no value" : slice.others ? "others" : slice.level ?? "");

/** The forecast along a feature: for rows as they are, or with all other features standing still. */
export function fanChart(view: FanView): SVGElement {
  return view.fan.values ? numberFan(view) : levelFan(view);
}

function numberFan({ report, fan, index, target, pooled, width }: FanView): SVGElement {
  if (pooled && !fan.slices.some((slice) => slice.middle !== undefined)) pooled = false; // the column is all gaps
  const feature = report.features[fan.feature]!;
  const unit = feature.dates ? 1000 : 1;
  const five = (q: Five, x: number) => ({ x: unit * x, low: q[0], q1: q[1], middle: q[2], q3: q[3], high: q[4] });
  const ranges = fan.slices.map((slice, i) => ({ slice, i })).filter(({ slice }) => slice.middle !== undefined);
  const bands = pooled ? ranges.map(({ slice, i }) => five(fan.pooled[target]![i]!.forecast, slice.middle!))
                       : fan.values!.map((x, i) => five(fan.typical[target]![i]!, x));
  const seen = pooled ? ranges.flatMap(({ slice, i }) => {
    const { outcome } = fan.pooled[target]![i]!;
    return outcome && slice.rows >= 5 ? [five(outcome, slice.middle!)] : [];
  }) : [];
  const xs = bands.map((d) => d.x);
  const x = padded(nicely(xs), 0.02);
  const dots = pooled && report.data.scored
    ? report.sample.outcomes[target]!.flatMap((y, i) => {
      const at = report.sample.columns[index]![i];
      return typeof at === "number" && unit * at >= x[0] && unit * at <= x[1] ? [{ x: unit * at, y }] : [];
    }) : [];
  const y = padded(nicely([...bands.flatMap((d) => [d.low, d.high]), ...seen.flatMap((d) => [d.low, d.high])]), 0.12);
  return plot({ width, height: Math.min(460, Math.max(280, width * 0.46)),
    x: (feature.dates ? timeAxis : xAxis)(feature.name, x, width), y: yAxis(report.targets[target]!.name, y),
    marks: [
      Plot.dot(dots, { x: "x", y: "y", r: 1.8, fill: color("ink"), fillOpacity: 0.3, clip: true }),
      Plot.areaY(bands, { x: "x", y1: "low", y2: "high", fill: color("accent"), fillOpacity: 0.18, clip: true }),
      Plot.areaY(bands, { x: "x", y1: "q1", y2: "q3", fill: color("accent"), fillOpacity: 0.28, clip: true }),
      Plot.line(bands, { x: "x", y: "middle", stroke: color("accent"), strokeWidth: 2.5, clip: true }),
      ...(["low", "high"] as const).map((end) =>
        Plot.line(seen, { x: "x", y: end, stroke: color("other"), strokeWidth: 1.5, strokeDasharray: "5 4", clip: true })),
      Plot.line(seen, { x: "x", y: "middle", stroke: color("other"), strokeWidth: 2, strokeDasharray: "5 4", clip: true }),
    ] });
}

function levelFan({ report, fan, target, pooled, width }: FanView): SVGElement {
  const five = (q: Five, x: string) => ({ x, low: q[0], q1: q[1], middle: q[2], q3: q[3], high: q[4] });
  const bands = pooled ? fan.slices.map((slice, i) => five(fan.pooled[target]![i]!.forecast, sliceName(slice)))
                       : fan.levels!.map((level, i) => five(fan.typical[target]![i]!, level));
  const seen = pooled ? fan.slices.flatMap((slice, i) => {
    const { outcome } = fan.pooled[target]![i]!;
    return outcome && slice.rows >= 5 ? [five(outcome, sliceName(slice))] : [];
  }) : [];
  const domain = padded(nicely([...bands, ...seen].flatMap((d) => [d.low, d.high])), 0.08);
  const longest = Math.max(...bands.map((d) => d.x.length));
  const short = (name: string) => (name.length > 18 ? `${name.slice(0, 17)}…` : name);
  return plot({ width, height: 60 + 34 * bands.length, marginLeft: Math.min(140, 20 + 7 * longest),
    x: { ...xAxis(report.targets[target]!.name, domain, width), grid: true },
    y: { type: "band", domain: bands.map((d) => d.x), label: null, tickSize: 0, tickFormat: short, padding: 0.35 },
    marks: [
      Plot.barX(bands, { y: "x", x1: "low", x2: "high", fill: color("accent"), fillOpacity: 0.2 }),
      Plot.barX(bands, { y: "x", x1: "q1", x2: "q3", fill: color("accent"), fillOpacity: 0.32 }),
      Plot.tickX(bands, { y: "x", x: "middle", stroke: color("accent"), strokeWidth: 3 }),
      Plot.ruleY(seen, { y: "x", x1: "low", x2: "high", stroke: color("other"), strokeWidth: 1.5, strokeDasharray: "5 4" }),
      Plot.dot(seen, { y: "x", x: "middle", r: 4.5, symbol: "diamond", fill: color("other") }),
    ] });
}

/** Shares of a feature's bins, training beside data. */
export function driftBars(expected: number[], actual: number[]): SVGElement {
  const top = Math.max(...expected, ...actual);
  const bins = expected.map((share, i) => ({ i, share, actual: actual[i]! }));
  return plot({ width: 150, height: 34, margin: 0, marginLeft: 0, marginRight: 0, marginTop: 1, marginBottom: 1,
    x: { axis: null, type: "band", domain: bins.map((d) => d.i), padding: 0.12 }, y: { axis: null, domain: [0, top || 1] },
    marks: [
      Plot.barY(bins, { x: "i", y: "actual", fill: color("accent"), fillOpacity: 0.75 }),
      Plot.tickY(bins, { x: "i", y: "share", stroke: color("ink"), strokeWidth: 2 }),
    ] });
}

