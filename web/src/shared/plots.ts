import * as Plot from "@observablehq/plot";
import { density2d, type Density, type Spike } from "./density";
import { percentsAlike, roundTicks, ticksFor } from "./format";
import { color } from "./theme";

/** Where a drawing's data lies on the screen, so that something can be laid over it. */
export interface Scale {
  domain: [number, number];
  range: [number, number];
  toPixel(value: number): number;
  toValue(pixel: number): number;
}

export interface Drawing {
  element: SVGSVGElement;
  x: Scale;
  y: Scale;
}

/** One outlined density. The second of two is dashed, so that colour alone does not tell them apart. */
export interface DensitySeries {
  density: Density;
  color: string;
  dashed?: boolean;
}

export function linear(domain: [number, number], range: [number, number]): Scale {
  const slope = (range[1] - range[0]) / (domain[1] - domain[0]);
  return { domain, range, toPixel: (v) => range[0] + (v - domain[0]) * slope, toValue: (p) => domain[0] + (p - range[0]) / slope };
}

export function drawing(plot: SVGElement | HTMLElement): Drawing {
  const chart = plot as unknown as Plot.Plot & SVGSVGElement;
  const scale = (name: "x" | "y") => {
    const found = chart.scale(name)!;
    return linear(found.domain as [number, number], found.range as [number, number]);
  };
  chart.setAttribute("aria-hidden", "true"); // what it shows stands beside it in words
  return { element: chart, x: scale("x"), y: scale("y") };
}

export const style = () => ({ color: color("soft"), fontSize: "12px", background: "none" });
/** How many dates an axis of this width has room for. */
export const ticks = (width: number) => Math.max(2, Math.min(10, Math.floor(width / 90)));

export interface DensityOptions {
  width: number;
  height: number;
  domain: [number, number];
  top: number;
  label: string;
  /** Decimals that values can have, if few: ticks have no more. */
  decimals?: number | null | undefined;
  /** A part that is picked out, in the first series' colour. */
  brushed?: [number, number] | null;
  /** Lines through the drawing with a word each. */
  marks?: { at: number; text: string; color: string }[];
}

/** The curve, with upright edges where a limit cuts it off. */
function outline({ x, y }: Density): { x: number; y: number }[] {
  if (x.length === 0) return [];
  const points = Array.from(x, (at, i) => ({ x: at, y: y[i]! }));
  return [{ x: x[0]!, y: 0 }, ...points, { x: x.at(-1)!, y: 0 }];
}

/** Pixels above and below the frame of a density, and of a percentage: its height, and its width for each character. */
const kAbove = 24, kBelow = 40, kNameHeight = 18, kCharacter = 7.2;

/** Repeated values: bars of their own width, or lines, with their percentages as a mark that is drawn over all others. */
function spikeMarks(one: DensitySeries, options: DensityOptions): { lines: Plot.Markish[]; names: Plot.Markish[] } {
  const { spikes, spikeWidth, bars } = one.density;
  const shown = spikes.filter(({ value }) => value >= options.domain[0] && value <= options.domain[1]);
  if (shown.length === 0) return { lines: [], names: [] };
  const pixels = (options.width - 28) / (options.domain[1] - options.domain[0]);
  const { brushed } = options;
  const height = (spike: Spike) => spike.share / spikeWidth;
  const opacity = ({ value }: Spike) => one.dashed ? 0.35 : !brushed || (value >= brushed[0] && value <= brushed[1]) ? 0.85 : 0.25;
  const thick = bars ? Math.max(2, Math.min(0.8 * spikeWidth * pixels, 48)) : 5;
  // The larger ones first: those whose percentage would lie on another one, or on its bar, stay without.
  const upwards = (options.height - kAbove - kBelow) / options.top;
  const inPercent = percentsAlike(shown.map(({ share }) => share));
  const room = (spike: Spike) => kCharacter * inPercent(spike.share).length + 6;
  const named: Spike[] = [];
  for (const spike of [...shown].sort((a, b) => b.share - a.share))
    if (spike.share >= 0.02 && named.every((other) => Math.abs(other.value - spike.value) * pixels >= (room(other) + room(spike)) / 2 ||
        ((height(other) - height(spike)) * upwards >= kNameHeight && Math.abs(other.value - spike.value) * pixels >= (thick + room(spike)) / 2))) named.push(spike);
  return {
    lines: [Plot.ruleX(shown, { x: "value", y1: 0, y2: height, stroke: one.color, strokeWidth: thick, strokeOpacity: opacity })],
    names: [Plot.text(one.dashed ? [] : named, { x: "value", y: height, text: (spike: Spike) => inPercent(spike.share), dy: -5, lineAnchor: "bottom",
      fill: one.color, fontWeight: 600, stroke: color("card"), strokeWidth: 4 })],
  };
}

/** The height of the frame in the density's units: the percentage of the highest spike stays below the words above the frame. */
function frameTop(series: DensitySeries[], { top, height, domain }: DensityOptions): number {
  const named = series.filter((one) => !one.dashed).flatMap(({ density: { spikes, spikeWidth } }) =>
    spikes.filter(({ value }) => value >= domain[0] && value <= domain[1]).map(({ share }) => share / spikeWidth));
  return Math.max(top, ...named.map((one) => one / (1 - kNameHeight / (height - kAbove - kBelow))));
}

export function densityPlot(series: DensitySeries[], asked: DensityOptions): Drawing {
  const options = { ...asked, top: frameTop(series, asked) };
  const { width, height, domain, top, brushed } = options;
  const marks: Plot.Markish[] = [Plot.ruleY([0], { stroke: color("strong-line") })];
  const names: Plot.Markish[] = [];
  for (const [index, one] of series.entries()) {
    const data = outline(one.density);
    const part = index === 0 && brushed ? data.filter((d) => d.x >= brushed[0] && d.x <= brushed[1]) : null;
    marks.push(Plot.areaY(data, { x: "x", y1: 0, y2: "y", fill: one.color, fillOpacity: part ? 0.1 : one.dashed ? 0.06 : 0.2 }));
    if (part) marks.push(Plot.areaY(part, { x: "x", y1: 0, y2: "y", fill: one.color, fillOpacity: 0.5 }));
    marks.push(Plot.lineY(data, {
      x: "x", y: "y", stroke: one.color, strokeWidth: 2.25, strokeDasharray: one.dashed ? "6 4" : undefined }));
    const spikes = spikeMarks(one, options);
    marks.push(...spikes.lines);
    names.push(...spikes.names);
  }
  const lines = [...(options.marks ?? [])].sort((a, b) => a.at - b.at);
  const pixels = (width - 28) / (domain[1] - domain[0]);
  for (const mark of lines) marks.push(Plot.ruleX([mark.at], { stroke: mark.color, strokeWidth: 1.5, strokeDasharray: "2 3" }));
  // Two words that would lie on each other stand on either side of their lines, or are one where these are the same.
  const room = (text: string) => kCharacter * text.length;
  const apart = lines.length === 2 ? (lines[1]!.at - lines[0]!.at) * pixels : Infinity;
  const same = apart < 4, close = !same && apart < room(lines.map((one) => one.text).join("")) / 2 + 10;
  const words = same ? [{ ...lines[1]!, text: lines.map((one) => one.text).join(", ") }] : lines;
  for (const [i, mark] of words.entries()) {
    const left = (mark.at - domain[0]) * pixels, half = room(mark.text) / 2;
    const textAnchor = close ? (i === 0 ? "end" : "start") : left < half - 14 ? "start" : left > width - 14 - half ? "end" : "middle";
    marks.push(Plot.text([mark.at], { x: (d: number) => d, frameAnchor: "top", text: () => mark.text, dy: -6, fill: mark.color,
      fontWeight: 600, lineAnchor: "bottom", textAnchor, dx: { start: -2, middle: 0, end: 2 }[textAnchor] * (close ? -2 : 1) }));
  }
  marks.push(...names);
  return drawing(Plot.plot({
    width, height, marginLeft: 14, marginRight: 14, marginTop: kAbove, marginBottom: kBelow, style: style(),
    x: { domain, label: options.label, labelAnchor: "center", labelArrow: "none", ticks: roundTicks(domain, width - 28, ticksFor(domain), options.decimals), tickFormat: ticksFor(domain),
      tickSize: 4 },
    y: { axis: null, domain: [0, top] },
    marks,
  }));
}

export interface PlaneSeries {
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  color: string;
  dashed?: boolean;
}

export interface PlaneOptions {
  width: number;
  height: number;
  xDomain: [number, number];
  yDomain: [number, number];
  xLabel: string;
  yLabel: string;
  /** What was observed, to mark. */
  outcome?: { x: number; y: number } | null;
}

/** Joint draws of two targets: a cloud of points under contours that hold about 25, 50, 75 and 90% of them. */
export function planePlot(series: PlaneSeries[], options: PlaneOptions): Drawing {
  const { width, height, xDomain, yDomain } = options;
  const cells = 96; // finer than the kernel, so that contours are smooth
  const contours = series.map((one) => {
    const { grid, at } = density2d(one.x, one.y, xDomain, yDomain, cells);
    return Plot.contour(grid, { width: cells, height: cells, x1: xDomain[0], x2: xDomain[1], y1: yDomain[0], y2: yDomain[1],
      thresholds: levelsOf(at, [0.9, 0.75, 0.5, 0.25]), stroke: one.color, strokeWidth: 1.5,
      strokeDasharray: one.dashed ? "5 3" : undefined, fill: one.color, fillOpacity: one.dashed ? 0.02 : 0.1 });
  });
  const made = drawing(Plot.plot({
    width, height, marginLeft: 58, marginRight: 14, marginTop: 24, marginBottom: 40, style: style(),
    x: { domain: xDomain, label: options.xLabel, labelAnchor: "center", labelArrow: "none", ticks: roundTicks(xDomain, width - 72),
      tickFormat: ticksFor(xDomain), grid: true },
    y: { domain: yDomain, label: options.yLabel, labelArrow: "none", ticks: Math.floor(height / 60), tickFormat: ticksFor(yDomain),
      grid: true },
    marks: [contours, options.outcome && Plot.dot([options.outcome], { x: "x", y: "y", symbol: "times", r: 6, stroke: color("ink"), strokeWidth: 2.5 })],
  }));
  for (const one of series) made.element.prepend(cloud(one, made));
  return made;
}

/** All points as one path: a thousand elements would be too slow for every frame. */
function cloud(one: PlaneSeries, on: Drawing): SVGPathElement {
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  let d = "";
  for (let i = 0; i < one.x.length; ++i) {
    const x = one.x[i]!, y = one.y[i]!;
    if (x < on.x.domain[0] || x > on.x.domain[1] || y < on.y.domain[0] || y > on.y.domain[1]) continue;
    d += `M${on.x.toPixel(x).toFixed(1)},${on.y.toPixel(y).toFixed(1)}h0`;
  }
  path.setAttribute("d", d);
  path.setAttribute("stroke", one.color);
  path.setAttribute("stroke-width", "3.5");
  path.setAttribute("stroke-linecap", "round");
  path.setAttribute("opacity", one.dashed ? "0.18" : "0.3");
  return path;
}

/** Heights of a density above which these shares of the samples lie: also of those that the frame leaves out. */
function levelsOf(at: Float64Array, shares: number[]): number[] {
  const down = Float64Array.from(at).sort().reverse();
  const levels = shares.map((share) => down[Math.min(down.length - 1, Math.floor(share * down.length))]!);
  return [...new Set(levels)].filter((level) => level > 0).sort((a, b) => a - b);
}

/** A dotted line with the value above it. */
export function markAt(options: { at: number | null; atText: string }, [low, high]: [number, number], unit: number): Plot.Markish[] {
  if (options.at === null || unit * options.at < low || unit * options.at > high) return [];
  const share = (unit * options.at - low) / (high - low || 1);
  return [Plot.ruleX([unit * options.at], { stroke: color("ink"), strokeDasharray: "2 3" }),
    Plot.text([unit * options.at], { x: (d: number) => d, frameAnchor: "top", text: () => options.atText, dy: -6, lineAnchor: "bottom",
      textAnchor: share < 0.08 ? "start" : share > 0.92 ? "end" : "middle", fill: color("ink"), fontWeight: 600 })];
}

export interface FunctionsOptions {
  width: number;
  height: number;
  xLabel: string;
  /** Whether x is seconds since 1970. */
  dates: boolean;
  /** A value of the feature to mark, and how it is written. */
  at: number | null;
  atText: string;
}

/** Lines over one feature: `functions[i][j]` at `values[j]`. */
export function functionsPlot(values: number[], functions: number[][], options: FunctionsOptions): Drawing {
  const unit = options.dates ? 1000 : 1;
  const rows = functions.flatMap((line, i) => line.map((y, j) => ({ i, x: unit * values[j]!, y })));
  const xRange: [number, number] = [unit * values[0]!, unit * values.at(-1)!];
  const yRange: [number, number] = [Math.min(...rows.map((d) => d.y)), Math.max(...rows.map((d) => d.y))];
  const marks: Plot.Markish[] = [
    Plot.line(rows, { x: "x", y: "y", z: "i", stroke: color("accent"), strokeOpacity: 0.42, strokeWidth: 1.3 })];
  marks.push(...markAt(options, xRange, unit));
  return drawing(Plot.plot({
    width: options.width, height: options.height, marginLeft: 58, marginRight: 14, marginTop: 24, marginBottom: 40, style: style(),
    x: { domain: xRange, label: options.xLabel, labelAnchor: "center", labelArrow: "none",
      ...(options.dates ? { type: "utc", ticks: ticks(options.width) / 1.5 } : { ticks: roundTicks(xRange, options.width - 72), tickFormat: ticksFor(xRange) }) },
    y: { nice: true, label: null, ticks: 6, tickFormat: ticksFor(yRange), grid: true },
    marks,
  }));
}
