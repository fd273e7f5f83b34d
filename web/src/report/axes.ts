import * as Plot from "@observablehq/plot";
import { utcTicks } from "d3-time";
import { plainNumber, roundTicks, ticksFor } from "../shared/format";
import { color } from "../shared/theme";

/** Axes, tips and numbers that all pictures of the report share. */

export const whole = (share: number) => `${Math.round(share * 100)}%`;
const kMargins = 66; // left and right of a plot, in pixels
/** So many dates, or more where the next coarser calendar step, such as a month, leaves fewer than two on the axis. */
function dateTicks(width: number, [from, to]: [number, number]): Date[] {
  const wanted = Math.max(2, Math.min(6, Math.floor(width / 120)));
  let found: Date[] = [];
  for (let count = wanted; found.length < 2 && count <= wanted + 8; ++count) found = utcTicks(new Date(from), new Date(to), count);
  return found.length > wanted + 2 ? found.filter((_, i) => i % 2 === 0) : found;
}
export const ends = (values: number[]): [number, number] => [Math.min(...values), Math.max(...values)];
export const square = (width: number) => Math.min(380, Math.max(260, width * 0.72));

export function plot(options: Plot.PlotOptions): SVGElement {
  const made = Plot.plot({ marginLeft: 52, marginRight: 14, marginTop: 26, marginBottom: 42, ...options,
    style: { color: color("soft"), fontSize: "12px", background: "none" } });
  made.setAttribute("aria-hidden", "true"); // what it shows is said in words
  return made as SVGElement;
}

/** What lies under the pointer, in words. */
type Tip = Plot.TipOptions & { x?: Plot.ChannelValueSpec; y?: Plot.ChannelValueSpec };
export const look = () => ({ fill: color("card"), stroke: color("strong-line"), fontSize: 12.5, textPadding: 9, lineHeight: 1.25, pathFilter: "none" });
export const tip = (data: Plot.Data, options: Tip) => Plot.tip(data, Plot.pointer({ ...look(), ...options }));
export const tipAlong = (data: Plot.Data, options: Tip) => Plot.tip(data, Plot.pointerX({ ...look(), ...options }));
export const ring = (data: Plot.Data, x: string, y: string) =>
  Plot.dot(data, Plot.pointer({ x, y, r: 5, stroke: color("ink"), strokeWidth: 1.75, fill: "none" }));

export const xAxis = (label: string, domain: [number, number], width: number): Plot.ScaleOptions => ({
  label, labelAnchor: "center", labelArrow: "none", domain, ticks: roundTicks(domain, width - kMargins), tickFormat: ticksFor(domain), tickSize: 4 });
/** Of dates, in milliseconds. */
export const timeAxis = (label: string, domain: [number, number], width: number): Plot.ScaleOptions => ({
  label, labelAnchor: "center", labelArrow: "none", type: "utc", domain, ticks: dateTicks(width, domain), tickSize: 4 });
export const yAxis = (label: string, domain: [number, number]): Plot.ScaleOptions => ({
  label, labelArrow: "none", domain, ticks: 5, tickFormat: ticksFor(domain), tickSize: 0, grid: true });
export const shares = (label: string, width: number) => ({ ...xAxis(label, [0, 1], width), tickFormat: whole });
export const logAxis = (axis: Plot.ScaleOptions): Plot.ScaleOptions => ({ ...axis, type: "log", ticks: 6, tickFormat: (v: number) => (/^[125]/.test(v.toPrecision(1)) ? plainNumber(v) : "") });

/** Room around what is shown. */
export function padded([low, high]: [number, number], share = 0.04): [number, number] {
  const room = (high - low) * share || Math.abs(low) * 0.1 || 1;
  return [low - room, high + room];
}

/** A name over two lines, at an underscore, where it is long. */
export function twoLines(name: string): string {
  if (name.length <= 16) return name;
  const breaks = [...name.matchAll(/[_ ./-]/g)].map((m) => m.index! + 1).filter((at) => at > 4 && at < name.length - 2);
  const at = breaks.sort((a, b) => Math.abs(a - name.length / 2) - Math.abs(b - name.length / 2))[0];
  const cut = (part: string) => (part.length > 18 ? `${part.slice(0, 17)}…` : part);
  return at ? `${cut(name.slice(0, at))}\n${cut(name.slice(at))}` : cut(name);
}
