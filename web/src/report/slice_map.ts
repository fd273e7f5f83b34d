import * as Plot from "@observablehq/plot";
import { counted, percentWithDecimal } from "../shared/format";
import { color } from "../shared/theme";
import { plot, tip, twoLines } from "./axes";
import { type ScoredSlice } from "./data";

/** Slices of all features on one map. */

export interface MapCell {
  feature: number;
  slice: number;
  name: string;
  /** From −1 to 1: what the colour shows. */
  strength: number;
  /** Of too few rows to mean anything: without colour. */
  few?: boolean;
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
        fillOpacity: (d: MapCell) => (d.few ? 0 : 0.06 + 0.62 * Math.min(1, Math.abs(d.strength))), stroke: (d: MapCell) => (d.few ? color("line") : "none"), rx: 4 }),
      room <= 26 ? null : Plot.text(cells, { x: "slice", y: "name", text: (d: MapCell) => (room > 50 ? d.text : d.short), fill: (d: MapCell) => color(d.few ? "soft" : "ink"), fontSize: 12 }),
      Plot.text(["low values"], { frameAnchor: "bottom-left", dy: 18, fill: color("soft") }),
      Plot.text(["high values"], { frameAnchor: "bottom-right", dy: 18, fill: color("soft") }),
      tip(cells, { x: "slice", y: "name", title: "tip" }),
    ] });
}

/** With fewer, a single outcome is ten points of coverage or more. */
export const kFewRows = 10;

/** The map of coverage: how far each slice is from what its forecasts expect. */
export const coverageCell = (feature: number, name: string, slice: number, one: ScoredSlice): MapCell => ({ feature, slice, name,
  few: one.rows < kFewRows, strength: (one.coverage - one.mass) / 0.12, text: (100 * one.coverage).toFixed(1), short: (100 * one.coverage).toFixed(0),
  tip: `${one.words}\n${counted(one.rows, "row")}: 90% intervals cover ${percentWithDecimal(one.coverage)}\nexpected: ${percentWithDecimal(one.mass)}\nClick for the slice` });
export const errorCell = (crps: (value: number) => string) => (feature: number, name: string, slice: number, one: ScoredSlice): MapCell => ({ feature, slice, name,
  few: one.rows < kFewRows, strength: Math.log2(one.error_ratio || 1), text: `${one.error_ratio.toFixed(1)}×`, short: one.error_ratio.toFixed(1),
  tip: `${one.words}\n${counted(one.rows, "row")}: CRPS ${crps(one.crps)}\n${one.error_ratio.toFixed(2)} times that of the other rows\nClick for the slice` });
