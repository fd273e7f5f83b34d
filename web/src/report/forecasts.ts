import { h, put } from "../shared/dom";
import { density, sorted } from "../shared/density";
import { counted, dateText, formatterFor, percent, plainNumber } from "../shared/format";
import { densityPlot, planePlot } from "../shared/plots";
import { color } from "../shared/theme";
import { fanChart } from "./charts";
import type { Joint, Picked, Report } from "./data";
import { chart, choice, help, key, section } from "./parts";

function segments(label: string, names: string[], changed: (index: number) => void): HTMLElement {
  const buttons = names.map((name, i) => h("button", { type: "button", "aria-pressed": String(i === 0), onclick: () => {
    buttons.forEach((button, j) => button.setAttribute("aria-pressed", String(i === j)));
    changed(i);
  } }, name));
  return h("div", { class: "segments", role: "group", "aria-label": label }, ...buttons);
}

/** Features by what they do to the mean, so that the first choice is the one to look at. */
function byImportance(report: Report, t: number): number[] {
  const order = report.fans.map((_, i) => i);
  const size = (i: number) => report.targets[t]!.drivers?.mean[report.fans[i]!.feature]!.size ?? 0;
  return order.sort((a, b) => size(b) - size(a));
}

export function fans(report: Report, t: number): HTMLElement | null {
  const order = byImportance(report, t);
  if (order.length === 0) return null;
  const names = order.map((i) => report.features[report.fans[i]!.feature]!.name);
  const target = report.targets[t]!;
  let shown = 0, pooled = true;
  const words = h("p", { class: "lede", "aria-live": "polite" });
  const place = h("div", { class: "fan" });
  const legend = h("div", { class: "legend" });
  const show = () => {
    const index = order[shown]!, fan = report.fans[index]!;
    const gaps = fan.values ? fan.slices.find((slice) => slice.gap)?.rows ?? 0 : 0;
    put(words, pooled
      ? `Forecasts of ${target.name} for the rows as they are, taken together over ${names[shown]}${report.data.scored ? ", beside their outcomes" : ""}.${gaps ? ` ${counted(gaps, "row")} without a value ${gaps === 1 ? "is" : "are"} not shown.` : ""}`
      : `Forecasts of ${target.name} along ${names[shown]}, all other features at their typical values.`);
    const picture = chart(words.textContent!, (width) => fanChart({ report, fan, index, target: t, pooled, width }), 300);
    picture.dataset.feature = names[shown]!;
    put(place, picture);
    const seen = pooled && report.data.scored;
    put(legend, key("accent", "median"), key("half", "50% of outcomes expected"), key("most", "90% expected"),
      seen && key("other", fan.values ? "outcomes: median, 5% and 95%" : "outcomes: median (◆), 5% to 95%"), seen && !!fan.values && key("dot", "some outcomes"));
  };
  show();
  const left = report.features.length - report.fans.length;
  return section("fan", "Forecasts along a feature", null,
    h("div", { class: "controls" }, choice("Feature", names, (i) => { shown = i; show(); }),
      segments("Which rows", ["Rows as they are", "Others held still"], (i) => { pooled = i === 0; show(); })),
    words, place, legend,
    left > 0 ? h("p", { class: "soft small" }, `The ${report.fans.length} features that matter most; ${left} others are left out to keep the page small.`) : null);
}

function rowCard(report: Report, t: number, one: Picked, important: number[]): HTMLElement {
  const target = report.targets[t]!;
  const format = formatterFor(target.spread);
  const ordered = sorted(one.draws);
  const ends = [ordered[0]!, ordered.at(-1)!, ...(one.outcome === undefined ? [] : [one.outcome])];
  const room = (Math.max(...ends) - Math.min(...ends)) * 0.14 || target.spread * 0.02 || 1;
  const domain: [number, number] = [Math.min(...ends) - room, Math.max(...ends) + room];
  const place = one.pit === undefined ? "" : one.pit === 0 ? "below all of the forecast" : one.pit === 1 ? "above all of the forecast"
    : `above ${percent(one.pit)} of the forecast`;
  const cell = (index: number) => {
    const value = one.cells[index]!, feature = report.features[report.fans[index]!.feature]!;
    const number = (x: number) => feature.dates ? dateText(x, feature.high! - feature.low!)
      : Number.isInteger(x) ? plainNumber(x) : formatterFor(feature.spread ?? 1)(x);
    return `${feature.name} ${value === null ? "no value" : typeof value === "number" ? number(value) : value}`;
  };
  return h("article", { class: "row-card" }, h("h4", {}, `Row ${one.row}`),
    h("p", {}, one.outcome === undefined ? `Median ${format(one.median)}, ` : h("span", {}, "Outcome ", h("strong", {}, format(one.outcome)), ` · median ${format(one.median)}, `),
      `90% from ${format(one.low)} to ${format(one.high)}`),
    chart(`Density of row ${one.row}: median ${format(one.median)}${one.outcome === undefined ? "" : `; the outcome ${format(one.outcome)} lies ${place}`}`, (width) => {
      const curve = density(ordered, domain[0], domain[1], 200);
      return densityPlot([{ curve, color: color("accent") }], { width, height: 150, domain, top: Math.max(...curve.y) * 1.1, label: target.name,
        marks: one.outcome === undefined ? [] : [{ at: one.outcome, text: "outcome", color: color("other") }] }).element;
    }, 150),
    h("p", { class: "cells soft small" }, ...important.slice(0, 5).flatMap((index) => [h("span", {}, cell(index)), " "])));
}

export function rows(report: Report, t: number): HTMLElement | null {
  const target = report.targets[t]!;
  if (target.best.length === 0) return null;
  const important = byImportance(report, t);
  const group = (title: string, words: string, picked: Picked[]) => h("div", { class: "row-group" }, h("h3", {}, title), h("p", { class: "soft" }, words),
    h("div", { class: "row-cards" }, ...picked.map((one) => rowCard(report, t, one, important))));
  const scored = report.data.scored;
  return section("rows", scored ? "Best and worst predicted rows" : "Most and least certain rows", scored
    ? "The rows with the largest and the smallest error of the whole distribution (CRPS). The worst are worth a look: wrong data, or something the features do not tell."
    : "The rows with the widest and the narrowest forecasts.",
    group(scored ? "Worst" : "Least certain", "", target.worst), group(scored ? "Best" : "Most certain", "", target.best),
    help("Looking closer", `Rows are counted from 0. “mirrorball explain ${report.model.name} ${report.data.name} --row ${target.worst[0]!.row}” tells which features made a forecast what it is.`));
}

export function joint(report: Report, together: Joint): HTMLElement {
  const names = report.targets.map((one) => one.name);
  const pairs = names.flatMap((_, a) => names.slice(a + 1).map((_, i) => [a, a + 1 + i] as const));
  const place = h("div");
  const words = h("p", { class: "lede", "aria-live": "polite" });
  let pair = 0, row = 0;
  const kPlaces: Record<string, string> = report.data.scored
    ? { 0.5: "in the middle", 0.1: "well predicted", 0.9: "badly predicted", 0.99: "among the worst 1%", 1: "the worst" }
    : { 0.5: "of middling certainty", 0.1: "quite certain", 0.9: "quite uncertain", 0.99: "among the least certain 1%", 1: "the least certain" };
  const show = () => {
    const [a, b] = pairs[pair]!, one = together.rows[row]!;
    const said = together.correlation[a * names.length + b]!, seen = together.observed_correlation?.[a * names.length + b];
    put(words, `Within a row, forecasts of ${names[a]} and ${names[b]} have a correlation of ${plainNumber(said)} on average` +
      (seen === undefined ? "." : `; errors of the outcomes had ${plainNumber(seen)}. `) +
      (seen === undefined ? "" : Math.abs(said - seen) < 0.15 ? "The two agree." : "The two differ: how the targets hang together is not told well."));
    const domain = (t: number): [number, number] => {
      const ordered = sorted(one.draws[t]!);
      const ends = [ordered[Math.floor(ordered.length * 0.005)]!, ordered[Math.ceil(ordered.length * 0.995) - 1]!, ...(one.outcome ? [one.outcome[t]!] : [])];
      const room = (Math.max(...ends) - Math.min(...ends)) * 0.1 || report.targets[t]!.spread * 0.02 || 1;
      return [Math.min(...ends) - room, Math.max(...ends) + room];
    };
    put(place, chart(`Joint draws of ${names[a]} and ${names[b]} for row ${one.row}`, (width) => {
      const made = planePlot([{ x: one.draws[a]!, y: one.draws[b]!, color: color("accent") }], { width, height: Math.min(460, Math.max(280, width * 0.6)),
        xDomain: domain(a), yDomain: domain(b), xLabel: names[a]!, yLabel: names[b]! });
      if (one.outcome) {
        const mark = document.createElementNS("http://www.w3.org/2000/svg", "path");
        const [x, y] = [made.x.toPixel(one.outcome[a]!), made.y.toPixel(one.outcome[b]!)];
        mark.setAttribute("d", `M${x - 8},${y}h16M${x},${y - 8}v16`);
        mark.setAttribute("style", `stroke: ${color("other")}; stroke-width: 3`);
        made.element.append(mark);
      }
      return made.element;
    }, 300));
  };
  show();
  return section("joint", "Targets together", null,
    h("div", { class: "controls" },
      pairs.length > 1 && choice("Targets", pairs.map(([a, b]) => `${names[a]} and ${names[b]}`), (i) => { pair = i; show(); }),
      choice("Row", together.rows.map((one) => `${one.row}, ${kPlaces[String(one.place)]}`), (i) => { row = i; show(); })),
    words, place,
    h("div", { class: "legend" }, key("accent", "contours hold 25, 50, 75 and 90% of the forecast"), together.rows[0]?.outcome ? key("cross", "outcome") : null));
}
