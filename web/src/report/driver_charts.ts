import * as Plot from "@observablehq/plot";
import { percent, percentWithDecimal, plainNumber, roundTicks } from "../shared/format";
import { color } from "../shared/theme";
import { ends, padded, plot, tip, twoLines, xAxis, yAxis } from "./axes";
import { rowName, type Effect, type ExplainedRows, type NetworkHistory, type Report } from "./data";

/** What moves the forecasts, what differs from training, and how the networks were trained. */

/** Shapley values of single rows: a line of dots per feature, from low values (light) to high ones (dark). */
export function beeswarm(report: Report, rows: ExplainedRows, values: number[][], order: number[], unit: (value: number) => string, width: number): SVGElement {
  const names = order.map((f) => report.features[f]!.name);
  const all = order.flatMap((f) => values[f]!.map((value, i) => ({ f, i, name: report.features[f]!.name, value, rank: rows.rank[f]![i] ?? null })));
  const domain = padded(ends([0, ...all.map((d) => d.value)]), 0.04);
  const left = Math.min(width < 500 ? 110 : 160, 22 + 7.2 * Math.max(...names.flatMap((name) => twoLines(name).split("\n").map((part) => part.length))));
  // Dots that would lie on each other stand side by side.
  const step = (domain[1] - domain[0]) / Math.max(20, (width - left) / 6);
  const seats = new Map<string, number>();
  const placed = all.map((d) => {
    const seat = `${d.f} ${Math.round(d.value / step)}`, n = seats.get(seat) ?? 0;
    seats.set(seat, n + 1);
    return { ...d, off: (n % 2 ? 1 : -1) * Math.ceil(n / 2) };
  });
  const reach = Math.max(...placed.map((d) => Math.abs(d.off)), 1);
  const push = Math.min(4.2, 15 / reach);
  const fill = (d: { rank: number | null }) => color(d.rank === null ? "strong-line" : d.rank > 0.5 ? "other" : "accent");
  return plot({ width, height: 44 + 40 * names.length, marginLeft: left, marginTop: 6, x: { ...xAxis("effect on the forecast of a row", domain, width), ticks: roundTicks(domain, width - left - 14) },
    y: { type: "point", domain: names, label: null, tickSize: 0, tickFormat: twoLines, padding: 0.6, grid: true },
    marks: [
      Plot.ruleX([0], { stroke: color("ink"), strokeOpacity: 0.6 }),
      ...[...new Set(placed.map((d) => d.off))].map((off) => Plot.dot(placed.filter((d) => d.off === off), { x: "value", y: "name", dy: off * push, r: 2.9, fill,
        fillOpacity: (d: { rank: number | null }) => (d.rank === null ? 0.6 : 0.3 + 1.3 * Math.abs(d.rank - 0.5)) })),
      tip(placed, { x: "value", y: "name", title: (d: (typeof placed)[0]) => `${rowName(report, rows.row[d.i]!, "Row")}: ${d.name}\n${d.value > 0 ? "+" : ""}${unit(d.value)}${d.rank === null ? "" : `, value above ${percent(d.rank)} of the others in training`}` }),
    ] });
}

/** The bars of the page as a picture, to be saved: mean sizes with two standard errors. */
export function importanceBars(report: Report, effects: Effect[], order: number[], kind: "mean" | "spread"): SVGElement {
  const rows = order.map((f) => ({ name: report.features[f]!.name, size: effects[f]!.size, error: effects[f]!.error ?? 0 }));
  const domain: [number, number] = [0, 1.04 * Math.max(...rows.map((d) => d.size + 2 * d.error)) || 1];
  const width = 560, left = Math.min(170, 22 + 7.2 * Math.max(...rows.flatMap((d) => twoLines(d.name).split("\n").map((part) => part.length))));
  return plot({ width, height: 60 + 30 * rows.length, marginLeft: left,
    x: { ...xAxis(`mean absolute effect on the ${kind === "mean" ? "mean forecast" : "standard deviation"}`, domain, width - left), grid: true },
    y: { type: "band", domain: rows.map((d) => d.name), label: null, tickSize: 0, tickFormat: twoLines, padding: 0.4 },
    marks: [
      Plot.barX(rows, { y: "name", x: "size", fill: color(kind === "mean" ? "accent" : "other"), rx: 3 }),
      Plot.ruleY(rows, { y: "name", x1: (d: (typeof rows)[0]) => Math.max(0, d.size - 2 * d.error), x2: (d: (typeof rows)[0]) => d.size + 2 * d.error, stroke: color("ink"), strokeWidth: 1.5 }),
    ] });
}

/** Shares of a feature's bins, training beside data. */
export function driftBars(expected: number[], actual: number[]): SVGElement {
  const top = Math.max(...expected, ...actual);
  const bins = expected.map((share, i) => ({ i, share, actual: actual[i]! }));
  return plot({ width: 150, height: 34, margin: 0, marginLeft: 0, marginRight: 0, marginTop: 1, marginBottom: 1,
    x: { axis: null, type: "band", domain: bins.map((d) => d.i), padding: 0.12 }, y: { axis: null, domain: [0, top || 1] },
    marks: [
      Plot.barY(bins, { x: "i", y: "actual", fill: color("accent"), fillOpacity: 0.75,
        title: (d: (typeof bins)[0]) => `part ${d.i + 1} of ${bins.length} of the training rows: ${percentWithDecimal(d.actual)} of these rows, ${percentWithDecimal(d.share)} in training` }),
      Plot.tickY(bins, { x: "i", y: "share", stroke: color("ink"), strokeWidth: 2 }),
    ] });
}

export function learningCurves(history: NetworkHistory[], width: number): SVGElement {
  const lines = history.flatMap((network, i) =>
    (["train", "valid"] as const).flatMap((kind) =>
      network[kind].map((y, j) => ({ key: `${i}${kind}`, network: i + 1, kind, x: j * network.step + 1, y }))));
  const best = history.flatMap((network, i) => {
    const at = Math.floor((network.best - 1) / network.step);
    const y = (network.valid.length ? network.valid : network.train)[at];
    return network.best > 0 && y !== undefined ? [{ x: network.best, y, network: i + 1 }] : [];
  });
  const late = lines.filter((d) => d.x > 1).map((d) => d.y);
  const y = padded(ends(late.length ? late : lines.map((d) => d.y)));
  return plot({ width, height: 300,
    x: xAxis("epoch", [1, Math.max(2, ...lines.map((d) => d.x))], width), y: { ...yAxis("energy score", y), clamp: true },
    marks: [
      Plot.line(lines.filter((d) => d.kind === "train"), { x: "x", y: "y", z: "key", stroke: color("strong-line"), strokeWidth: 1.1, strokeOpacity: 0.8, clip: true }),
      Plot.line(lines.filter((d) => d.kind === "valid"), { x: "x", y: "y", z: "key", stroke: color("accent"), strokeWidth: 1.7, clip: true }),
      Plot.dot(best, { x: "x", y: "y", r: 4, fill: color("card"), stroke: color("accent"), strokeWidth: 2 }),
      tip(lines, { x: "x", y: "y", title: (d: (typeof lines)[0]) =>
        `Network ${d.network}, epoch ${d.x}\n${d.kind === "train" ? "training rows" : "validation rows"}: ${plainNumber(d.y)}` }),
    ] });
}
