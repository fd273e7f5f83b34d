import type { Ranges } from "../shared/brush";
import { quantile, sorted, standardDeviation, mean } from "../shared/density";
import { areNames, byTheDay, dateText, decimalsFor, forecastFormat, formatterFor, trimmed, wholeNumber } from "../shared/format";
import type { Draws, Feature, ModelFacts, NumberFacts, NumberFeature, Row } from "./api";

/** What the page shows. Parts listen to the news they need. */
export type News = "row" | "draws" | "pinned" | "view" | "brush" | "feature" | "question";

/** One target's density, or the plane of two. */
export interface View {
  targets: number[];
}

/** Values of targets that were observed. */
export type Outcome = Record<string, number>;

/** Samples of a row, everywhere on the page: as many as `mirrorball predict` takes. */
export const kSamples = 1000;

/** The samples of a row. Every number on the page comes from these, computed once. */
export class Forecast {
  private readonly sortedDraws = new Map<string, Float64Array>();

  constructor(readonly row: Row, readonly draws: Draws, private readonly model: Pick<ModelFacts, "targets">) {}

  ordered(target: string): Float64Array {
    const known = this.sortedDraws.get(target) ?? sorted(this.draws[target]!);
    this.sortedDraws.set(target, known);
    return known;
  }
  quantile(target: string, level: number): number {
    return quantile(this.ordered(target), level);
  }
  mean(target: string): number {
    return mean(this.draws[target]!);
  }
  sd(target: string): number {
    return standardDeviation(this.draws[target]!);
  }

  /** With as many digits as this forecast's own spread gives a meaning. */
  format(target: string, what: "value" | "mean" | "fact" = "value"): (value: number) => string {
    const facts = this.model.targets.find((one) => one.name === target);
    return forecastFormat(this.ordered(target), what, facts?.decimals, facts && usualSpread(facts));
  }
}

export class State {
  row: Row;
  /** What was observed for this row, and where the row is from. */
  outcome: Outcome | null = null;
  source = "";
  pinned: Row | null = null;
  forecast: Forecast | null = null;
  pinnedForecast: Forecast | null = null;
  view: View = { targets: [0] };
  brush: Ranges | null = null;
  /** The feature that forecasts are shown along, and whether as sample functions. */
  feature: string;
  functions = false;
  /** What is explained: of the whole forecast, and of a region. */
  of = { whole: "mean", part: "region" };
  private readonly listeners = new Map<News, (() => void)[]>();

  constructor(readonly model: ModelFacts) {
    this.row = typicalRow(model.features);
    this.feature = foremost(model)?.name ?? "";
  }

  on(news: News | News[], listener: () => void): void {
    for (const one of [news].flat()) this.listeners.set(one, [...(this.listeners.get(one) ?? []), listener]);
  }

  tell(news: News): void {
    for (const listener of this.listeners.get(news) ?? []) listener();
  }

  setCell(name: string, value: Row[string]): void {
    this.setRow({ ...this.row, [name]: value });
  }

  /** An outcome belongs to a row as it was observed, not to a changed one. */
  setRow(row: Row, outcome: Outcome | null = null, source = ""): void {
    this.row = row;
    this.outcome = outcome && Object.keys(outcome).length > 0 ? outcome : null;
    this.source = source;
    this.tell("row");
  }

  pin(row: Row | null): void {
    this.pinned = row;
    this.pinnedForecast = row && row === this.forecast?.row ? this.forecast : null;
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

  setFeature(name: string, functions = this.functions): void {
    this.feature = name;
    this.functions = functions;
    this.tell("feature");
  }

  setQuestion(of: string): void {
    this.of[this.brush ? "part" : "whole"] = of;
    this.tell("question");
  }

  get question(): string {
    return this.brush ? this.of.part : this.of.whole;
  }

  target(axis = 0) {
    return this.model.targets[this.view.targets[axis] ?? 0]!;
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

  /** The share of the samples that lie in the brushed part. */
  share(forecast: Forecast | null): number {
    if (!forecast || !this.brush) return NaN;
    const columns = this.brush.map((_, axis) => forecast.draws[this.target(axis).name]!);
    let inside = 0;
    for (let i = 0; i < columns[0]!.length; ++i)
      if (this.brush.every(([low, high], axis) => columns[axis]![i]! >= low && columns[axis]![i]! <= high)) ++inside;
    return inside / columns[0]!.length;
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Features along which a forecast can change. */
export const varying = (model: ModelFacts): Feature[] =>
  model.features.filter((one) => (one.type === "number" ? one.high > one.low : one.categories.length > 1));

/** The feature that moves the first target most: the one to look at first. */
function foremost(model: ModelFacts): Feature | undefined {
  const effect = (one: Feature) => one.effects?.[0] ?? 0;
  return varying(model).reduce((best: Feature | undefined, one) => (best && effect(best) >= effect(one) ? best : one), undefined);
}

export function typicalRow(features: Feature[]): Row {
  return Object.fromEntries(features.map((feature) => [feature.name,
    feature.type === "number" ? rounded(feature, feature.typical) : feature.typical]));
}

/** A row in which every feature on its own takes any of its training values. */
export function randomRow(model: ModelFacts): Row {
  return Object.fromEntries(model.features.map((feature) => [feature.name, feature.type === "number"
    ? rounded(feature, atLevel(model.levels, feature.quantiles, Math.random()))
    : feature.categories[Math.floor(Math.random() * feature.categories.length)] ?? null]));
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
export const usualSpread = (feature: NumberFacts): number =>
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
  if (cell === null || cell === "") return "missing";
  if (feature.type === "category" || typeof cell === "string") return String(cell);
  if (feature.dates) return dateText(cell, spanOf(feature));
  if (!feature.whole || !Number.isInteger(cell)) return trimmed(formatterFor(usualSpread(feature))(cell));
  return areNames(feature.low, feature.high) ? String(cell) : wholeNumber(cell, feature.high - feature.low);
}
