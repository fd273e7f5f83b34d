import * as Plot from "@observablehq/plot";
import { roundTicks, ticksFor } from "./format";
import { drawing, linear, markAt, style, ticks, type Drawing } from "./plots";
import { color } from "./theme";

/** A forecast along a feature: median, central 50% and central 90%. */
export interface Fan {
  /** Ascending. */
  x: number[];
  /** Five quantiles at each x: 5, 25, 50, 75 and 95%. */
  quantiles: number[][];
  /** Whether there are data near each x; where not, the fan is pale. */
  near: boolean[];
}

export interface FanOptions {
  width: number;
  height: number;
  xLabel: string;
  /** Whether x is seconds since 1970. */
  dates: boolean;
  /** A value of the feature to mark, and how it is written. */
  at: number | null;
  atText: string;
  /** Values of the feature in the data. */
  rug: number[];
}

interface Run {
  near: boolean;
  points: { x: number; q: number[] }[];
}

/** Stretches with data and without. Neighbours meet: the step between them is pale. */
function runs(fan: Fan, unit: number): Run[] {
  const found: Run[] = [];
  fan.x.forEach((x, i) => {
    const point = { x: unit * x, q: fan.quantiles[i]! };
    const last = found.at(-1);
    if (last?.near === fan.near[i]) return void last!.points.push(point);
    if (last && !last.near) last.points.push(point);
    found.push({ near: fan.near[i]!, points: last?.near ? [last.points.at(-1)!, point] : [point] });
  });
  return found;
}

export function fanPlot(fan: Fan, options: FanOptions): Drawing {
  const unit = options.dates ? 1000 : 1;
  const parts = runs(fan, unit);
  const xRange: [number, number] = [unit * fan.x[0]!, unit * fan.x.at(-1)!];
  const all = fan.quantiles.flat();
  const yRange: [number, number] = [Math.min(...all), Math.max(...all)];
  const band = (run: Run, low: number, high: number, opacity: number) => Plot.areaY(run.points, { x: "x", y1: (d: Run["points"][0]) => d.q[low],
    y2: (d: Run["points"][0]) => d.q[high], fill: color(run.near ? "accent" : "strong-line"), fillOpacity: run.near ? opacity : opacity * 0.45 });
  const marks: Plot.Markish[] = parts.flatMap((run) => [band(run, 0, 4, 0.17), band(run, 1, 3, 0.3),
    Plot.line(run.points, { x: "x", y: (d: Run["points"][0]) => d.q[2], stroke: color(run.near ? "accent" : "strong-line"), strokeWidth: run.near ? 2.25 : 1.5,
      strokeDasharray: run.near ? undefined : "4 4" })]);
  marks.push(Plot.ruleX(options.rug.filter((x) => unit * x >= xRange[0] && unit * x <= xRange[1]), { x: (x: number) => unit * x, insetTop: options.height - 72,
    stroke: color("soft"), strokeOpacity: 0.4, strokeWidth: 1, className: "rug" }));
  marks.push(...markAt(options, xRange, unit));
  return drawing(Plot.plot({
    width: options.width, height: options.height, marginLeft: 58, marginRight: 14, marginTop: 24, marginBottom: 40, style: style(),
    x: { domain: xRange, label: options.xLabel, labelAnchor: "center", labelArrow: "none",
      ...(options.dates ? { type: "utc", ticks: ticks(options.width) / 1.5 } : { ticks: roundTicks(xRange, options.width - 72), tickFormat: ticksFor(xRange) }) },
    y: { domain: padded(yRange), nice: true, label: null, ticks: 6, tickFormat: ticksFor(yRange), grid: true },
    marks,
  }));
}

const padded = ([low, high]: [number, number]): [number, number] => (high > low ? [low, high] : [low - 1, high + 1]);

export interface CategoriesOptions {
  width: number;
  xLabel: string;
  /** The category to mark. */
  at: string | null;
}

/** The same for categories: a line for the central 90%, a bar for the central 50%, and a mark for the median. */
export function categoriesPlot(names: string[], fan: Omit<Fan, "x">, options: CategoriesOptions): Drawing {
  const rows = names.map((name, i) => ({ name, q: fan.quantiles[i]!, near: fan.near[i]! }));
  const range: [number, number] = [Math.min(...rows.map((d) => d.q[0]!)), Math.max(...rows.map((d) => d.q[4]!))];
  const stroke = (d: (typeof rows)[0]) => color(d.near ? "accent" : "strong-line");
  const rule = (low: number, high: number, strokeWidth: number, strokeOpacity: number) =>
    Plot.ruleY(rows, { y: "name", x1: (d: (typeof rows)[0]) => d.q[low], x2: (d: (typeof rows)[0]) => d.q[high], stroke, strokeWidth, strokeOpacity });
  const longest = Math.max(...names.map((name) => name.length));
  const marginLeft = Math.min(options.width * 0.42, 22 + 6.6 * longest);
  const most = Math.floor((marginLeft - 16) / 6.6);
  const text = (name: string) => (name.length > most ? `${name.slice(0, most - 1)}…` : name);
  const plot = Plot.plot({
    width: options.width, height: 60 + 26 * rows.length, marginLeft, marginRight: 14, marginTop: 8, marginBottom: 40, style: style(),
    x: { domain: padded(range), nice: true, label: options.xLabel, labelAnchor: "center", labelArrow: "none", ticks: roundTicks(range, options.width - marginLeft - 14),
      tickFormat: ticksFor(range), grid: true },
    y: { domain: names, label: null, tickSize: 0, axis: null },
    marks: [
      Plot.axisY({ label: null, tickSize: 0, text: (name: string) => text(name), fill: color("ink") }),
      ...(options.at !== null && names.includes(options.at) ? [Plot.barX([options.at], { y: (d: string) => d, x1: padded(range)[0], x2: padded(range)[1], fill: color("accent"), fillOpacity: 0.07 })] : []),
      rule(0, 4, 2, 0.55), rule(1, 3, 10, 0.4),
      Plot.tickX(rows, { y: "name", x: (d: (typeof rows)[0]) => d.q[2], stroke, strokeWidth: 3, insetTop: 4, insetBottom: 4 }),
    ],
  }) as SVGSVGElement & Plot.Plot;
  plot.setAttribute("aria-hidden", "true");
  const found = plot.scale("x")!, band = plot.scale("y")! as unknown as { range: [number, number] };
  return { element: plot, x: linear(found.domain as [number, number], found.range as [number, number]), y: linear([0, names.length], band.range) };
}
