import * as Plot from "@observablehq/plot";
import { counted, percentWithDecimal, plainNumber } from "../shared/format";
import { color } from "../shared/theme";
import { plot, shares, square, tip, tipAlong, whole, yAxis } from "./axes";
import { type Threshold } from "./data";

/** Probabilities of more than a threshold, and what acting on them costs. */

const kLeastGroup = 20; // rows whose share says something: its standard error is at most 11 points

/** Rows with similar probabilities: neighbouring bins together until there are enough rows, so that no dot is the outcome of one or two. */
export function reliabilityGroups(one: Threshold): { probability: number; rows: number; above: number }[] {
  const groups: { sum: number; rows: number; above: number }[] = [];
  one.rows.forEach((n, i) => {
    const last = groups.at(-1);
    const into = last && last.rows < kLeastGroup ? last : (groups.push({ sum: 0, rows: 0, above: 0 }), groups.at(-1)!);
    into.sum += n * (one.probability[i] ?? 0);
    into.rows += n;
    into.above += one.events[i]!;
  });
  if (groups.length > 1 && groups.at(-1)!.rows < kLeastGroup) {
    const rest = groups.pop()!, last = groups.at(-1)!;
    Object.assign(last, { sum: last.sum + rest.sum, rows: last.rows + rest.rows, above: last.above + rest.above });
  }
  return groups.filter((d) => d.rows > 0).map((d) => ({ probability: d.sum / d.rows, rows: d.rows, above: d.above }));
}

const reliability = (one: Threshold) => reliabilityGroups(one).map((d) => ({ p: d.probability, share: d.above / d.rows, n: d.rows,
  error: 1.96 * Math.sqrt(Math.max(1e-4, d.probability * (1 - d.probability)) / d.rows) }));

/** Whether the probabilities come true, in words. */
export function reliabilityWords(one: Threshold): string {
  const rows = reliability(one);
  const over = rows.filter((d) => d.share > d.p + d.error).length, under = rows.filter((d) => d.share < d.p - d.error).length;
  if (over + under === 0) return "All dots lie in their bands: the probabilities come true.";
  const sides = [over && `${over} above (outcomes were higher more often than predicted)`, under && `${under} below (less often than predicted)`];
  return `Of ${counted(rows.length, "dot")}, these lie outside their bands: ${sides.filter(Boolean).join(", ")}. By chance it would be about one in twenty.`;
}

/** Predicted probability of more than a threshold against how often it was. */
export function thresholdChart(one: Threshold, width: number): SVGElement {
  const rows = reliability(one);
  const most = Math.max(...rows.map((d) => d.n));
  return plot({ width, height: square(width), x: shares("predicted probability", width), y: { ...yAxis("share of outcomes above", [0, 1]), tickFormat: whole },
    marks: [
      Plot.link([{}], { x1: 0, y1: 0, x2: 1, y2: 1, stroke: color("ink"), strokeDasharray: "4 4", strokeOpacity: 0.7 }),
      Plot.ruleX(rows, { x: "p", y1: (d: (typeof rows)[0]) => Math.max(0, d.p - d.error), y2: (d: (typeof rows)[0]) => Math.min(1, d.p + d.error), stroke: color("ink"), strokeOpacity: 0.16, strokeWidth: 7 }),
      Plot.line(rows, { x: "p", y: "share", stroke: color("accent"), strokeWidth: 1.5 }),
      Plot.dot(rows, { x: "p", y: "share", r: (d: (typeof rows)[0]) => 2.5 + 6 * Math.sqrt(d.n / most), fill: color("accent"), fillOpacity: 0.75, stroke: color("card") }),
      tip(rows, { x: "p", y: "share", title: (d: (typeof rows)[0]) => `${counted(d.n, "row")} with ${percentWithDecimal(d.p)} on average\n${percentWithDecimal(d.share)} of them were above` }),
    ] });
}

/** What acting from a probability on costs per row, if a miss costs `ratio` false alarms. */
export function costsOf(one: Threshold, ratio: number): { from: number; cost: number; alarms: number; misses: number }[] {
  const rows = one.rows.reduce((a, b) => a + b, 0);
  return Array.from({ length: one.rows.length + 1 }, (_, k) => {
    let alarms = 0, misses = 0;
    one.rows.forEach((n, i) => (i >= k ? (alarms += n - one.events[i]!) : (misses += one.events[i]!)));
    return { from: k / one.rows.length, cost: (alarms + ratio * misses) / rows, alarms, misses };
  });
}

export function costChart(one: Threshold, ratio: number, width: number): SVGElement {
  const rows = costsOf(one, ratio);
  const at = 1 / (1 + ratio);
  const top = Math.max(...rows.map((d) => d.cost)) * 1.08 || 1;
  return plot({ width, height: square(width), x: shares("act when the probability is at least", width), y: yAxis("cost per row, in false alarms", [0, top]),
    marks: [
      Plot.line(rows, { x: "from", y: "cost", stroke: color("accent"), strokeWidth: 2.25 }),
      Plot.dot(rows, { x: "from", y: "cost", r: 3, fill: color("accent") }),
      Plot.ruleX([at], { stroke: color("other"), strokeWidth: 1.5, strokeDasharray: "2 3" }),
      Plot.text([at], { x: (d: number) => d, frameAnchor: "top", text: () => `best if calibrated: ${whole(at)}`, dx: at > 0.6 ? -6 : 6, dy: 4, textAnchor: at > 0.6 ? "end" : "start", lineAnchor: "top", fill: color("other"), fontWeight: 600 }),
      tipAlong(rows, { x: "from", y: "cost", title: (d: (typeof rows)[0]) =>
        `Acting from ${whole(d.from)} on: ${plainNumber(d.cost)} per row\n${counted(d.alarms, "false alarm")}, ${counted(d.misses, "miss", "misses")}` }),
    ] });
}
