import type { Draws, Feature, ModelFacts, NumberFeature, Row } from "./api";
import type { Ranges } from "../shared/brush";
import { byTheDay, dateText, decimalsFor, formatterFor, plainNumber } from "../shared/format";

/** What the page shows. Parts listen to the news they need. */
export type News = "row" | "draws" | "pinned" | "view" | "brush";

/** One target's density, or the plane of two. */
export interface View {
  targets: number[];
}

export class State {
  row: Row;
  pinned: Row | null = null;
  draws: Draws | null = null;
  pinnedDraws: Draws | null = null;
  view: View = { targets: [0] };
  brush: Ranges | null = null;
  private readonly listeners = new Map<News, (() => void)[]>();

  constructor(readonly model: ModelFacts) {
    this.row = typicalRow(model.features);
  }

  on(news: News, listener: () => void): void {
    this.listeners.set(news, [...(this.listeners.get(news) ?? []), listener]);
  }

  tell(news: News): void {
    for (const listener of this.listeners.get(news) ?? []) listener();
  }

  setCell(name: string, value: Row[string]): void {
    this.row = { ...this.row, [name]: value };
    this.tell("row");
  }

  setRow(row: Row): void {
    this.row = row;
    this.tell("row");
  }

  pin(row: Row | null): void {
    this.pinned = row;
    this.pinnedDraws = row === this.row ? this.draws : null;
    this.tell("pinned");
  }

  setBrush(ranges: Ranges | null): void {
    this.brush = ranges;
    this.tell("brush");
  }

  setView(view: View): void {
    this.view = view;
    this.brush = null;
    this.tell("view");
    this.tell("brush");
  }

  target(axis: number) {
    return this.model.targets[this.view.targets[axis]!]!;
  }

  /** The brushed part in the server's words: "price" >= 2 and "price" <= 3. */
  where(): string | undefined {
    return this.brush
      ?.map(([low, high], axis) => {
        const name = quoted(this.target(axis).name);
        return `${name} >= ${low} and ${name} <= ${high}`;
      })
      .join(" and ");
  }

  /** The share of the draws that lie in the brushed part. */
  share(draws: Draws | null): number {
    if (!draws || !this.brush) return NaN;
    const columns = this.brush.map((_, axis) => draws[this.target(axis).name]!);
    let inside = 0;
    for (let i = 0; i < columns[0]!.length; ++i)
      if (this.brush.every(([low, high], axis) => columns[axis]![i]! >= low && columns[axis]![i]! <= high)) ++inside;
    return inside / columns[0]!.length;
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export function typicalRow(features: Feature[]): Row {
  return Object.fromEntries(features.map((feature) => [feature.name,
    feature.type === "number" ? rounded(feature, feature.typical) : feature.typical]));
}

/** A row in which every feature on its own takes any of its training values. */
export function randomRow(model: ModelFacts): Row {
  return Object.fromEntries(model.features.map((feature) => [feature.name, feature.type === "number"
    ? rounded(feature, atLevel(model.levels, feature.quantiles, Math.random()))
    : feature.levels[Math.floor(Math.random() * feature.levels.length)] ?? null]));
}

/** Piecewise linear through (from[i], to[i]). */
function along(from: number[], to: number[], at: number): number {
  let i = 1;
  while (i < from.length - 1 && from[i]! < at) ++i;
  const width = from[i]! - from[i - 1]!;
  const share = width > 0 ? (at - from[i - 1]!) / width : 0.5;
  return to[i - 1]! + Math.max(0, Math.min(1, share)) * (to[i]! - to[i - 1]!);
}

export const atLevel = (levels: number[], quantiles: number[], level: number): number => along(levels, quantiles, level);
export const levelOf = (levels: number[], quantiles: number[], value: number): number => along(quantiles, levels, value);

/** Where most of the training values lie; a few far ones would spoil the number of digits. */
const usualSpread = (feature: NumberFeature): number =>
  feature.quantiles[10]! - feature.quantiles[2]! || feature.high - feature.low;

/** What dates run over in training, in seconds. */
export const spanOf = (feature: NumberFeature): number => feature.high - feature.low;

/** As fine as a person would give it. */
export function rounded(feature: NumberFeature, value: number): number {
  if (feature.dates) {
    const step = byTheDay(spanOf(feature)) ? 86400 : spanOf(feature) >= 86400 ? 60 : 1;
    return Math.min(feature.high, Math.max(feature.low, step * Math.round(value / step)));
  }
  return feature.whole ? Math.round(value) : Number(value.toFixed(decimalsFor(usualSpread(feature))));
}

export function cellText(feature: Feature, cell: Row[string]): string {
  if (cell === null || cell === "") return "no value";
  if (feature.type === "category" || typeof cell === "string") return String(cell);
  if (feature.dates) return dateText(cell, spanOf(feature));
  return formatterFor(feature.whole && Number.isInteger(cell) ? 5000 : usualSpread(feature))(cell);
}

/** A value of a target, in its own scale. */
export const targetFormat = (target: { low: number; high: number }): ((value: number) => string) =>
  target.high > target.low ? formatterFor(target.high - target.low) : plainNumber;
