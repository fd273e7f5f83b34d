import type { Ranges } from "../shared/brush";
import { afterPause } from "../shared/dom";
import type { Cell, Feature, ModelFacts, Row } from "./api";
import { typicalRow, type Outcome, type State } from "./state";

/** The page's address has all that is chosen: #x.size=150&x.kind=loft&target=price&region=2..3&feature=age. A link opens the same
 * page, and a reload keeps it. Cells that are those of the typical row are left out; an empty one is a missing value. */

export interface Place {
  row: Row;
  pin: Row | null;
  outcome: Outcome | null;
  source: string;
  targets: number[];
  region: Ranges | null;
  feature: string | null;
  functions: boolean;
  of: string | null;
  /** Names that this model does not have. */
  unknown: string[];
}

function writeRow(to: URLSearchParams, prefix: string, row: Row, features: Feature[]): void {
  const typical = typicalRow(features);
  for (const { name } of features)
    if (row[name] !== typical[name]) to.set(`${prefix}.${name}`, row[name] === null ? "" : String(row[name]));
}

export function addressOf(state: State): string {
  const { model } = state;
  const to = new URLSearchParams();
  writeRow(to, "x", state.row, model.features);
  for (const [name, value] of Object.entries(state.outcome ?? {})) to.set(`y.${name}`, String(value));
  if (state.source) to.set("from", state.source);
  if (state.pinned) {
    to.set("pin", "");
    writeRow(to, "p", state.pinned, model.features);
  }
  if (model.targets.length > 1) for (const index of state.view.targets) to.append("target", model.targets[index]!.name);
  for (const [low, high] of state.brush ?? []) to.append("region", `${low}..${high}`);
  if (state.question !== (state.brush ? "region" : "mean")) to.set("of", state.question);
  if (state.feature) to.set("feature", state.feature);
  if (state.functions) to.set("along", "functions");
  return to.toString();
}

function cellFrom(feature: Feature, text: string): Cell | undefined {
  if (text === "") return null;
  if (feature.type === "category") return text;
  return Number.isFinite(Number(text)) ? Number(text) : undefined;
}

export function readAddress(hash: string, model: ModelFacts): Place {
  const from = new URLSearchParams(hash.replace(/^#/, ""));
  const unknown: string[] = [];
  const rowFrom = (prefix: string): Row => {
    const row = typicalRow(model.features);
    for (const [key, text] of from) {
      if (!key.startsWith(`${prefix}.`)) continue;
      const name = key.slice(prefix.length + 1);
      const feature = model.features.find((one) => one.name === name);
      const cell = feature && cellFrom(feature, text);
      if (cell === undefined) unknown.push(name);
      else row[name] = cell;
    }
    return row;
  };
  const targets = from.getAll("target").map((name) => model.targets.findIndex((one) => one.name === name)).filter((i) => i >= 0).slice(0, 2);
  const region = from.getAll("region").map((text) => text.split("..").map(Number)).filter(
    (range): range is [number, number] => range.length === 2 && range.every(Number.isFinite));
  const observed = model.targets.flatMap(({ name }) => {
    const text = from.get(`y.${name}`);
    return text !== null && Number.isFinite(Number(text)) ? [[name, Number(text)] as const] : [];
  });
  const feature = from.get("feature");
  return {
    row: rowFrom("x"), pin: from.has("pin") ? rowFrom("p") : null, outcome: observed.length > 0 ? Object.fromEntries(observed) : null,
    source: from.get("from") ?? "", targets: targets.length > 0 ? targets : [0],
    region: region.length === Math.max(1, targets.length) ? region : null,
    feature: model.features.some((one) => one.name === feature) ? feature : null,
    functions: from.get("along") === "functions", of: from.get("of"), unknown,
  };
}

/** Puts the page where the address says. */
export function go(state: State, place: Place): void {
  state.setView({ targets: place.targets });
  state.setBrush(place.region);
  if (place.of) state.of[place.region ? "part" : "whole"] = place.of;
  state.tell("question");
  state.setFeature(place.feature ?? state.feature, place.functions);
  state.setRow(place.row, place.outcome, place.source);
  state.pin(place.pin);
}

/** The address follows what is chosen, and what is chosen follows an address that somebody enters. */
export function followAddress(state: State, arrived: (place: Place) => void): void {
  const write = afterPause(200, () => history.replaceState(null, "", `#${addressOf(state)}`));
  const arrive = (hash: string) => {
    const place = readAddress(hash, state.model);
    go(state, place);
    arrived(place);
  };
  if (location.hash.length > 1) arrive(location.hash);
  state.on(["row", "pinned", "view", "brush", "feature", "question"], write);
  // The event's own address: `write` may have replaced that of the page by now.
  window.addEventListener("hashchange", (event) => arrive(new URL(event.newURL).hash));
}
