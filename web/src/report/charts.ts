import * as Plot from "@observablehq/plot";
import { sorted } from "../shared/density";
import { counted, dateText, forecastFormat, percent, percentWithDecimal, plainNumber, roundTicks, ticksFor } from "../shared/format";
import { color } from "../shared/theme";
import { rowName, type Calibration, type Effect, type ExplainedRows, type Fan, type Five, type NetworkHistory, type Report, type Scored, type ScoredSlice, type Slice, type Target, type Threshold } from "./data";
import { errorFormat, rowFormat } from "./digits";

/** The pictures of the report. Each is made for a width, answers the pointer, and stands beside words that say the same. */

export const whole = (share: number) => `${Math.round(share * 100)}%`;
const kMargins = 66; // left and right of a plot, in pixels
const dateTicks = (width: number) => Math.max(2, Math.min(6, Math.floor(width / 120)));
const ends = (values: number[]): [number, number] => [Math.min(...values), Math.max(...values)];
const square = (width: number) => Math.min(380, Math.max(260, width * 0.72));

export function plot(options: Plot.PlotOptions): SVGElement {
  const made = Plot.plot({ marginLeft: 52, marginRight: 14, marginTop: 26, marginBottom: 42, ...options,
    style: { color: color("soft"), fontSize: "12px", background: "none" } });
  made.setAttribute("aria-hidden", "true"); // what it shows is said in words
  return made as SVGElement;
}

/** What lies under the pointer, in words. */
type Tip = Plot.TipOptions & { x?: Plot.ChannelValueSpec; y?: Plot.ChannelValueSpec };
const look = () => ({ fill: color("card"), stroke: color("strong-line"), fontSize: 12.5, textPadding: 9, lineHeight: 1.25, pathFilter: "none" });
const tip = (data: Plot.Data, options: Tip) => Plot.tip(data, Plot.pointer({ ...look(), ...options }));
export const tipAlong = (data: Plot.Data, options: Tip) => Plot.tip(data, Plot.pointerX({ ...look(), ...options }));
const ring = (data: Plot.Data, x: string, y: string) =>
  Plot.dot(data, Plot.pointer({ x, y, r: 5, stroke: color("ink"), strokeWidth: 1.75, fill: "none" }));

const xAxis = (label: string, domain: [number, number], width: number): Plot.ScaleOptions => ({
  label, labelAnchor: "center", labelArrow: "none", domain, ticks: roundTicks(domain, width - kMargins), tickFormat: ticksFor(domain), tickSize: 4 });
/** Of dates, in milliseconds. */
const timeAxis = (label: string, domain: [number, number], width: number): Plot.ScaleOptions => ({
  label, labelAnchor: "center", labelArrow: "none", type: "utc", domain, ticks: dateTicks(width), tickSize: 4 });
export const yAxis = (label: string, domain: [number, number]): Plot.ScaleOptions => ({
  label, labelArrow: "none", domain, ticks: 5, tickFormat: ticksFor(domain), tickSize: 0, grid: true });
const shares = (label: string, width: number) => ({ ...xAxis(label, [0, 1], width), tickFormat: whole });
const logAxis = (axis: Plot.ScaleOptions): Plot.ScaleOptions => ({ ...axis, type: "log", ticks: 6, tickFormat: (v: number) => (/^[125]/.test(v.toPrecision(1)) ? plainNumber(v) : "") });

/** Room around what is shown. */
export function padded([low, high]: [number, number], share = 0.04): [number, number] {
  const room = (high - low) * share || Math.abs(low) * 0.1 || 1;
  return [low - room, high + room];
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
      Plot.rectY(bins, { x1: "x1", x2: "x2", y: "share", fill: color("accent"), fillOpacity: 0.55, inset: 0.75 }),
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
  const right = Math.max(rows.at(-2)!.w, mean) * 1.05 || 1;
  return plot({ width, height: square(width), x: xAxis(`width of the 90% interval of ${target.name}`, [0, right], width), y: { ...yAxis("share of rows that are narrower", [0, 1]), tickFormat: whole },
    marks: [
      Plot.areaY(rows, { x: "w", y1: 0, y2: "share", fill: color("accent"), fillOpacity: 0.15, clip: true }), // `y` would stack equal widths
      Plot.line(rows, { x: "w", y: "share", stroke: color("accent"), strokeWidth: 2.25, clip: true }),
      Plot.ruleX([mean], { stroke: color("ink"), strokeDasharray: "4 4" }),
      Plot.text([mean], { x: (d: number) => d, frameAnchor: "top", text: () => `mean ${errorFormat(target)(mean)}`, dx: mean > 0.6 * right ? -6 : 6, dy: 4,
        textAnchor: mean > 0.6 * right ? "end" : "start", lineAnchor: "top", fill: color("ink"), fontWeight: 600 }),
      tipAlong(rows, { x: "w", y: "share", title: (d: (typeof rows)[0]) => `${percent(d.share)} of the rows have an interval\nnarrower than ${errorFormat(target)(d.w)}` }),
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

/** A name over two lines, at an underscore, where it is long. */
export function twoLines(name: string): string {
  if (name.length <= 16) return name;
  const breaks = [...name.matchAll(/[_ ./-]/g)].map((m) => m.index! + 1).filter((at) => at > 4 && at < name.length - 2);
  const at = breaks.sort((a, b) => Math.abs(a - name.length / 2) - Math.abs(b - name.length / 2))[0];
  const cut = (part: string) => (part.length > 18 ? `${part.slice(0, 17)}…` : part);
  return at ? `${cut(name.slice(0, at))}\n${cut(name.slice(at))}` : cut(name);
}

export interface MapCell {
  feature: number;
  slice: number;
  name: string;
  /** From −1 to 1: what the colour shows. */
  strength: number;
  text: string;
  /** Where there is no room for the text. */
  short: string;
  tip: string;
}

/** Features by their slices, in two colours: `low` for cells below 0. */
export function sliceMap(cells: MapCell[], width: number, low: "other" | "accent"): SVGElement {
  const names = [...new Set(cells.map((d) => d.name))];
  const columns = Math.max(...cells.map((d) => d.slice)) + 1;
  const left = Math.min(width < 500 ? 104 : 170, 22 + 7.2 * Math.max(...names.flatMap((name) => twoLines(name).split("\n").map((part) => part.length))));
  const room = (width - left - 10) / columns;
  return plot({ width, height: 30 + 38 * names.length, marginLeft: left, marginTop: 6, marginBottom: 24, marginRight: 10,
    x: { type: "band", domain: Array.from({ length: columns }, (_, i) => i), axis: null, padding: 0.06 },
    y: { type: "band", domain: names, label: null, tickSize: 0, tickFormat: twoLines, padding: 0.1 },
    marks: [
      Plot.cell(cells, { x: "slice", y: "name", fill: (d: MapCell) => color(d.strength < 0 ? low : low === "other" ? "accent" : "other"),
        fillOpacity: (d: MapCell) => 0.06 + 0.62 * Math.min(1, Math.abs(d.strength)), rx: 4 }),
      room <= 26 ? null : Plot.text(cells, { x: "slice", y: "name", text: (d: MapCell) => (room > 50 ? d.text : d.short), fill: color("ink"), fontSize: 12 }),
      Plot.text(["low values"], { frameAnchor: "bottom-left", dy: 18, fill: color("soft") }),
      Plot.text(["high values"], { frameAnchor: "bottom-right", dy: 18, fill: color("soft") }),
      tip(cells, { x: "slice", y: "name", title: "tip" }),
    ] });
}

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
  const value = (x: number) => (feature.dates ? dateText(x / 1000, feature.high! - feature.low!) : plainNumber(x));
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
export function dotForecast(points: number[], outcome: number | undefined, label: string, width: number): SVGElement {
  const format = forecastFormat(sorted(points));
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
export function cdfPlot(ordered: ArrayLike<number>, domain: [number, number], outcome: number | undefined, label: string, width: number, height: number): SVGElement {
  const format = forecastFormat(ordered);
  const rows = Array.from({ length: ordered.length }, (_, i) => ({ x: ordered[i]!, p: (i + 1) / ordered.length }));
  return plot({ width, height, marginLeft: 40, marginBottom: 40, x: xAxis(label, domain, width), y: { domain: [0, 1], label: null, ticks: 3, tickFormat: whole, tickSize: 0, grid: true },
    marks: [
      Plot.line([{ x: domain[0], p: 0 }, ...rows, { x: domain[1], p: 1 }], { x: "x", y: "p", curve: "step-after", stroke: color("accent"), strokeWidth: 2, clip: true }),
      outcome === undefined ? null : Plot.ruleX([outcome], { stroke: color("other"), strokeWidth: 1.75, strokeDasharray: "2 3" }),
      tipAlong(rows, { x: "x", y: "p", title: (d: (typeof rows)[0]) => `${percent(d.p)} at or below ${format(d.x)}` }),
    ] });
}

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
      tip(placed, { x: "value", y: "name", title: (d: (typeof placed)[0]) => `${rowName(report, rows.row[d.i]!, "Row")}: ${d.name}\n${d.value > 0 ? "+" : ""}${unit(d.value)}${d.rank === null ? "" : `, value above ${percent(d.rank)} of training`}` }),
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

/** The map of coverage: how far each slice is from what its forecasts expect. */
export const coverageCell = (feature: number, name: string, slice: number, one: ScoredSlice): MapCell => ({ feature, slice, name,
  strength: (one.coverage - one.mass) / 0.12, text: (100 * one.coverage).toFixed(1), short: (100 * one.coverage).toFixed(0),
  tip: `${one.words}\n${counted(one.rows, "row")}: 90% intervals cover ${percentWithDecimal(one.coverage)}\nexpected: ${percentWithDecimal(one.mass)}\nClick for the slice` });
export const errorCell = (crps: (value: number) => string) => (feature: number, name: string, slice: number, one: ScoredSlice): MapCell => ({ feature, slice, name,
  strength: Math.log2(one.error_ratio || 1), text: `${one.error_ratio.toFixed(1)}×`, short: one.error_ratio.toFixed(1),
  tip: `${one.words}\n${counted(one.rows, "row")}: CRPS ${crps(one.crps)}\n${one.error_ratio.toFixed(2)} times that of the other rows\nClick for the slice` });
