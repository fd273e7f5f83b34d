import * as Plot from "@observablehq/plot";
import { counted, dateText, percentWithDecimal } from "../shared/format";
import { color } from "../shared/theme";
import { ends, logAxis, padded, plot, ring, timeAxis, tip, tipAlong, whole, xAxis, yAxis } from "./axes";
import { rowName, type Fan, type Report } from "./data";
import { rowFormat } from "./digits";

/** Outcomes beside their forecasts. */

/** A dot of the sample: its place, forecast and outcome, and how many rows share these. */
export interface Dot {
  i: number;
  x: number;
  y: number;
  rows?: number;
}

/** Rows with the same forecast and outcome as one dot. */
function stacks(dots: Dot[]): Required<Dot>[] {
  const found = new Map<string, Required<Dot>>();
  for (const dot of dots) {
    const key = `${dot.x} ${dot.y}`, known = found.get(key);
    if (known) known.rows += 1;
    else found.set(key, { ...dot, rows: 1 });
  }
  return [...found.values()];
}

/** Of few different values most dots would lie on others. */
export const inStacks = (dots: Dot[]): boolean => dots.length > 20 && stacks(dots).length < dots.length / 3;

export function dotsOf(report: Report, t: number): Dot[] {
  const { sample } = report;
  return Array.from({ length: sample.dots }, (_, i) => ({ i, x: sample.medians[t]![i]!, y: sample.outcomes![t]![i]! }));
}

/** Whether a logarithmic axis can show all of it, and would show more: over more than a factor of 20. */
export const spansDecades = (values: number[]): boolean => Math.min(...values) > 0 && Math.max(...values) > 20 * Math.min(...values);

export function againstOutcome(report: Report, t: number, width: number, log: boolean): SVGElement {
  const target = report.targets[t]!;
  const all = dotsOf(report, t), stacked = inStacks(all);
  const dots = stacked ? stacks(all) : all.map((dot) => ({ ...dot, rows: 1 }));
  const most = Math.max(...dots.map((d) => d.rows));
  const [low, high] = ends(dots.flatMap((d) => [d.x, d.y]));
  const domain: [number, number] = log ? [low / 1.1, high * 1.1] : padded([low, high]);
  const { low: from, high: to } = report.sample;
  const words = (d: Dot) => {
    const one = { median: d.x, low: from[t]![d.i]!, high: to[t]![d.i]! };
    return `median ${rowFormat(target, one)(d.x)}, outcome ${rowFormat(target, one, "fact")(d.y)}`;
  };
  const x = xAxis(`forecast: median of ${target.name}`, domain, width), y = yAxis(`outcome: ${target.name}`, domain);
  return plot({ width, height: Math.min(440, Math.max(280, width * 0.62)), marginLeft: 60, x: log ? logAxis(x) : x, y: log ? logAxis(y) : y,
    marks: [
      Plot.line([domain[0], domain[1]].map((v) => ({ v })), { x: "v", y: "v", stroke: color("ink"), strokeDasharray: "4 4", strokeOpacity: 0.7 }),
      Plot.dot(dots, { x: "x", y: "y", r: stacked ? { value: (d: Required<Dot>) => 2.6 + 15 * Math.sqrt((d.rows - 1) / most), scale: null } : 2.6, fill: color("accent"), fillOpacity: 0.38 }),
      stacked ? Plot.text(dots.filter((d) => d.rows > most / 5), { x: "x", y: "y", text: (d: Required<Dot>) => String(d.rows), fill: color("ink"), fontWeight: 600 }) : null,
      stacked ? null : ring(dots, "x", "y"),
      tip(dots, { x: "x", y: "y", title: (d: Required<Dot>) => d.rows > 1 ? `${counted(d.rows, "row")}\n${words(d)}\nClick to open one of them`
        : `${rowName(report, report.sample.rows[d.i]!, "Row")}\n${words(d)}\nClick to open the row` }),
    ] });
}

/** Coverage of the 90% intervals along a date. */
export function timeChart(report: Report, t: number, fan: Fan, width: number): SVGElement {
  const rows = fan.slices.flatMap((slice, i) => {
    const { covered, mass } = fan.pooled[t]![i]!;
    if (slice.middle === undefined || covered === undefined || slice.rows < 10) return [];
    const share = covered / slice.rows, error = 1.96 * Math.sqrt(Math.max(1e-4, mass! * (1 - mass!)) / slice.rows);
    return [{ x: 1000 * slice.middle, share, mass: mass!, rows: slice.rows, low: Math.max(0, mass! - error), high: Math.min(1, mass! + error), from: slice.low!, to: slice.high! }];
  });
  const feature = report.features[fan.feature]!;
  const bottom = Math.min(0.7, ...rows.map((d) => Math.min(d.share, d.low))) - 0.03;
  const day = (seconds: number) => dateText(seconds, feature.high! - feature.low!);
  return plot({ width, height: 260, x: timeAxis(feature.name, ends(rows.map((d) => d.x)), width), y: { ...yAxis("coverage of the 90% intervals", [Math.max(0, bottom), 1]), tickFormat: whole },
    marks: [
      Plot.areaY(rows, { x: "x", y1: "low", y2: "high", fill: color("ink"), fillOpacity: 0.12 }),
      Plot.line(rows, { x: "x", y: "mass", stroke: color("ink"), strokeDasharray: "4 4", strokeOpacity: 0.7 }),
      Plot.line(rows, { x: "x", y: "share", stroke: color("accent"), strokeWidth: 2.25 }),
      Plot.dot(rows, { x: "x", y: "share", r: 3, fill: color("accent") }),
      tipAlong(rows, { x: "x", y: "share", title: (d: (typeof rows)[0]) =>
        `${day(d.from)} to ${day(d.to)}, ${counted(d.rows, "row")}\ncovered ${percentWithDecimal(d.share)}, expected ${percentWithDecimal(d.mass)}` }),
    ] });
}
