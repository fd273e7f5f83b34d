import { afterPause, breakable, h, latestOnly, put } from "../shared/dom";
import { categoriesPlot, fanPlot } from "../shared/fan";
import { counted, forecastFormat } from "../shared/format";
import { functionsPlot, type Drawing } from "../shared/plots";
import { getAlong, getFunctions, inWords, Refusal, type Along, type Cell, type Feature, type Functions, type NumberFeature, type Row } from "./api";
import { cellText, kSamples, rounded, usualSpread, varying, type State } from "./state";

/** The forecast along a feature, all other features those of the row: the calibrated fan, or sample functions of the networks. */

const kPoints = 41;
const kFunctions = 40;
const kMostCategories = 24;

interface Wish {
  row: Row;
  feature: Feature;
  functions: boolean;
}

export class AlongPanel {
  readonly element: HTMLElement;
  private readonly title = h("h2", { id: "along-title" });
  private readonly choice: HTMLSelectElement;
  private readonly views: HTMLButtonElement[];
  private readonly chart = h("div", { class: "chart along-chart", role: "img" });
  private readonly problem = h("p", { class: "notice", role: "status" });
  private readonly caption = h("p", { class: "soft small" });
  private readonly readout = h("p", { class: "small readout", "aria-hidden": "true" });
  private along: { wish: Wish; found: Along } | null = null;
  private functions: { wish: Wish; found: Functions } | null = null;
  private drawing: Drawing | null = null;
  private readonly ask = latestOnly(async (wish: Wish) => {
    try {
      if (wish.functions && wish.feature.type === "number") {
        const [from, to] = rangeOf(wish.feature, wish.row[wish.feature.name]!);
        this.functions = { wish, found: await getFunctions(wish.row, wish.feature.name, from, to, kFunctions) };
      } else {
        const values = valuesOf(wish.feature, wish.row[wish.feature.name] ?? null);
        this.along = { wish, found: { ...(await getAlong(wish.row, wish.feature.name, values, kSamples)), values } };
      }
      put(this.problem);
      this.draw();
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 0)) put(this.problem, inWords(error));
    }
  });
  private readonly askSoon = afterPause(60, () => this.renew());

  constructor(private readonly state: State) {
    this.choice = h("select", { "aria-label": "Feature to vary" },
      ...varying(state.model).map(({ name }) => h("option", { value: name }, name)));
    this.choice.onchange = () => state.setFeature(this.choice.value);
    this.views = (["Forecast", "Sample functions"] as const).map((name, i) =>
      h("button", { type: "button", onclick: () => state.setFeature(state.feature, i === 1) }, name));
    this.element = h("section", { class: "card along-panel", "aria-labelledby": "along-title" },
      h("header", {}, this.title, this.choice, h("div", { class: "segments", role: "group", "aria-label": "View" }, ...this.views)),
      this.caption, this.problem, this.chart, this.readout);
    this.chart.onpointermove = (event) => this.point(event);
    this.chart.onpointerleave = () => put(this.readout);
    this.chart.onclick = (event) => this.choose(event);
    state.on("row", this.askSoon);
    state.on("feature", () => {
      this.showChoice();
      this.renew();
    });
    state.on("view", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.chart);
    this.showChoice();
    this.renew();
  }

  private get feature(): Feature | undefined {
    return varying(this.state.model).find((one) => one.name === this.state.feature);
  }

  private get asFunctions(): boolean {
    return this.state.functions && this.feature?.type === "number";
  }

  private showChoice(): void {
    this.choice.value = this.state.feature;
    this.views.forEach((view, i) => view.setAttribute("aria-pressed", String((i === 1) === this.asFunctions)));
    this.views[1]!.disabled = this.feature?.type !== "number";
  }

  private renew(): void {
    if (this.feature) void this.ask({ row: this.state.row, feature: this.feature, functions: this.asFunctions });
    else put(this.problem, "The model has no feature that varies.");
  }

  private draw(): void {
    const { feature, asFunctions } = this;
    const target = this.state.target().name;
    put(this.title, breakable(target), " along a feature");
    if (!feature || this.chart.clientWidth === 0) return;
    const answer = asFunctions ? this.functions : this.along;
    if (answer?.wish.feature !== feature) return;
    const width = Math.max(240, Math.floor(this.chart.clientWidth));
    if (asFunctions) this.drawFunctions(feature as NumberFeature, this.functions!.found, target, width);
    else this.drawFan(feature, this.along!.found, target, width);
    put(this.chart, this.drawing!.element);
    this.chart.dataset.shown = `${asFunctions ? "functions" : "fan"} ${target} ${feature.name}`;
  }

  private axes(feature: NumberFeature, width: number) {
    const at = this.state.row[feature.name];
    return { width, height: Math.min(360, Math.max(220, Math.round(width * 0.42))), xLabel: feature.name, dates: feature.dates,
      at: typeof at === "number" ? at : null, atText: cellText(feature, at ?? null) };
  }

  private drawFunctions(feature: NumberFeature, found: Functions, target: string, width: number): void {
    const lines = found.functions[target]!;
    this.drawing = functionsPlot(found.values, lines, this.axes(feature, width));
    const middle = (j: number) => lines.map((line) => line[j]!).sort((a, b) => a - b)[lines.length >> 1]!;
    const format = forecastFormat(Float64Array.from(lines.flat()).sort(), "value", this.state.target().decimals);
    put(this.caption, "Each line is one sample function: the noise is fixed and the feature varies. They are the networks' own, without calibration " +
      "and all that else adds to the forecast, so they can be narrower than it.");
    this.describe(`${lines.length} sample functions of ${target} over ${feature.name}`, feature, format, [middle(0), middle(found.values.length - 1)], found.values);
  }

  private drawFan(feature: Feature, found: Along, target: string, width: number): void {
    const quantiles = found.quantiles[target]!;
    const near = nearOf(feature, found);
    const format = forecastFormat(Float64Array.from(quantiles.flat()).sort(), "value", this.state.target().decimals);
    if (feature.type === "number")
      this.drawing = fanPlot({ x: found.values as number[], quantiles, near }, { ...this.axes(feature, width), rug: found.rug ?? [] });
    else
      this.drawing = categoriesPlot(found.values.map((one) => one ?? "missing") as string[], { quantiles, near },
        { width, xLabel: target, at: (this.state.row[feature.name] ?? "missing") as string });
    put(this.caption, ...this.legend(feature, found, near));
    this.describe(`Forecast of ${target} over ${feature.name}`, feature, format, [quantiles[0]![2]!, quantiles.at(-1)![2]!], found.values);
    this.chart.dataset.at = JSON.stringify(quantiles[found.values.findIndex((one) => one === this.state.row[feature.name])] ?? null);
    this.chart.dataset.pale = String(near.filter((one) => !one).length);
  }

  /** What the colours mean, and whether the row itself is where there are data. */
  private legend(feature: Feature, found: Along, near: boolean[]): (Node | string)[] {
    const key = (swatch: string, text: string) => h("span", { class: "key" }, h("i", { class: `patch ${swatch}` }), text);
    const keys = [key("line", "median"), key("half", "central 50%"), key("most", "central 90%")];
    if (near.includes(false)) keys.push(key("pale", found.nearby ? "no background row is near" : "outside the training range"));
    const here = found.values.findIndex((one) => one === (this.state.row[feature.name] ?? null));
    const apart = here >= 0 && found.nearby?.[here] === 0 ? found.apart?.[here] : null;
    const words = [h("span", { class: "keys" }, ...keys), "All other features keep the row's values. Calibrated, as the forecast is."];
    if (!found.nearby && this.state.model.background === "made")
      words.push(" Which values occur together is not in the model: start the server with ", h("code", {}, "--background"), " to see where there are no rows.");
    if (apart) words.push(h("strong", { class: "apart" }, ` No background row is near this one: ${this.pair(feature, apart)}.`));
    return words;
  }

  private pair(feature: Feature, apart: string): string {
    const cell = (one: Feature) => `${one.name} ${cellText(one, this.state.row[one.name] ?? null)}`;
    const other = this.state.model.features.find((one) => one.name === apart)!;
    return other === feature ? `${cell(feature)} does not occur` : `${cell(feature)} does not occur with ${cell(other)}`;
  }

  private describe(what: string, feature: Feature, format: (x: number) => string, medians: [number, number], values: Cell[]): void {
    this.chart.setAttribute("aria-label", `${what}: the median runs from ${format(medians[0])} at ${cellText(feature, values[0]!)} to ` +
      `${format(medians[1])} at ${cellText(feature, values.at(-1)!)}.`);
  }

  /** The place among the values that the pointer is at; -1 beside the drawing. */
  private placeOf(event: MouseEvent): number {
    const { feature, drawing } = this;
    const values = this.asFunctions ? null : this.along?.found.values;
    if (!feature || !drawing || !values || this.along!.wish.feature !== feature) return -1;
    const box = drawing.element.getBoundingClientRect();
    if (feature.type === "category") {
      const place = Math.floor(drawing.y.toValue(event.clientY - box.top));
      return place >= 0 && place < values.length ? place : -1;
    }
    const x = drawing.x.toValue(event.clientX - box.left) / (feature.dates ? 1000 : 1);
    const [low, high] = drawing.x.range;
    if (event.clientX - box.left < low - 4 || event.clientX - box.left > high + 4) return -1;
    return (values as number[]).reduce((best, value, i) => (Math.abs(value - x) < Math.abs((values[best] as number) - x) ? i : best), 0);
  }

  private point(event: MouseEvent): void {
    const place = this.placeOf(event);
    const found = this.along?.found;
    this.chart.classList.toggle("live", place >= 0);
    if (place < 0 || !found) return put(this.readout);
    const target = this.state.target().name;
    const q = found.quantiles[target]![place]!;
    const format = forecastFormat(Float64Array.from(q), "value", this.state.target().decimals, usualSpread(this.state.target()));
    put(this.readout, `${this.feature!.name} ${cellText(this.feature!, found.values[place]!)}: `, h("strong", {}, `median ${format(q[2]!)}`),
      `, ${format(q[0]!)} to ${format(q[4]!)} with 90% probability${found.nearby ? ` · ${counted(found.nearby[place]!, "background row")} near` : ""} · click to take this value`);
  }

  private choose(event: MouseEvent): void {
    const place = this.placeOf(event);
    if (place >= 0) this.state.setCell(this.feature!.name, this.along!.found.values[place]!);
  }
}

/** From the 1% to the 99% quantile, and to the row's own value; the whole range where most values are the same. */
function rangeOf(feature: NumberFeature, at: Cell): [number, number] {
  let [low, high] = [feature.quantiles[1]!, feature.quantiles[11]!];
  if (low === high) [low, high] = [feature.low, feature.high];
  return typeof at === "number" ? [Math.min(low, at), Math.max(high, at)] : [low, high];
}

/** The values that the fan is computed at, the row's own among them. */
export function valuesOf(feature: Feature, at: Cell): Cell[] {
  if (feature.type === "category") {
    const shown: Cell[] = feature.categories.slice(0, kMostCategories);
    if (feature.missing || at === null) shown.push(null);
    return shown.includes(at) ? shown : [at, ...shown];
  }
  const [low, high] = rangeOf(feature, at);
  const step = (high - low) / (kPoints - 1);
  const even = feature.whole && step < 1
    ? Array.from({ length: Math.floor(high) - Math.ceil(low) + 1 }, (_, i) => Math.ceil(low) + i)
    : Array.from({ length: kPoints }, (_, i) => (i === kPoints - 1 ? high : rounded(feature, low + i * step)));
  return [...new Set(typeof at === "number" ? [...even, at] : even)].sort((a, b) => a - b);
}

/** Where there are data: rows of the background, or without one the training range. A lone value without rows between others that
 * have some is chance. */
export function nearOf(feature: Feature, found: Along): boolean[] {
  if (!found.nearby)
    return found.values.map((value) => feature.type === "category" ? value === null ? feature.missing : feature.categories.includes(value as string)
      : (value as number) >= feature.low && (value as number) <= feature.high);
  const near = found.nearby.map((rows) => rows > 0);
  if (feature.type === "category") return near;
  return near.map((one, i) => one || (near[i - 1] === true && near[i + 1] === true));
}
