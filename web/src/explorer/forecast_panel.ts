import { Brush, type Ranges } from "../shared/brush";
import { density, quantile } from "../shared/density";
import { breakable, h, put } from "../shared/dom";
import { percent } from "../shared/format";
import { densityPlot, planePlot, type Drawing } from "../shared/plots";
import { color } from "../shared/theme";
import type { Forecast, State } from "./state";

/** The forecast: a density for one target, a cloud for two, with a brush over it, and what it says in words. */

const kCoverage = 0.9;
const kReach = 0.3;

interface Frame {
  domain: [number, number];
  top: number;
}

export class ForecastPanel {
  readonly element: HTMLElement;
  /** How often the drawing was renewed; the browser's test counts with it. */
  updates = 0;
  private readonly chart = h("div", { class: "chart" });
  private readonly plot = h("div");
  private readonly title = h("h2", { id: "forecast-title", tabIndex: -1 });
  private readonly words = h("div", { class: "headline", "aria-live": "polite" });
  private readonly legend = h("div", { class: "legend small" });
  private readonly edges = h("div", { class: "edges" });
  private readonly tails = h("div", { class: "buttons" });
  private brush: Brush;
  /** Whether the axis shows the whole training range, and not just this forecast. */
  private wide = false;
  private frames = new Map<number, Frame>();

  constructor(private readonly state: State) {
    const wide = h("button", { type: "button", class: "quiet", "aria-pressed": "false", onclick: () => {
      this.wide = !this.wide;
      wide.setAttribute("aria-pressed", String(this.wide));
      this.frames.clear();
      this.draw();
    } }, "Training range");
    this.brush = this.newBrush();
    this.element = h("section", { class: "card forecast-panel", "aria-labelledby": "forecast-title" },
      h("header", {}, this.title, wide), this.words, this.legend, this.chart,
      h("div", { class: "part" }, h("span", { class: "soft small part-title" }, "Select a region: drag in the chart, or"), this.tails,
        this.edges));
    this.showView();
    state.on(["draws", "pinned"], () => this.draw());
    state.on("view", () => {
      this.showView();
      this.draw();
    });
    state.on("brush", () => {
      this.brush.set(state.brush);
      this.draw();
      this.showEdges();
    });
    new ResizeObserver(() => this.draw()).observe(this.chart);
    this.brush.set(state.brush);
    this.showEdges();
  }

  private get plane(): boolean {
    return this.state.view.targets.length === 2;
  }

  private showView(): void {
    this.frames.clear();
    this.brush = this.newBrush();
    put(this.chart, this.plot, this.brush.element);
    put(this.title, "Forecast of ", ...this.state.view.targets.flatMap((_, axis) => [axis > 0 && " and ", breakable(this.state.target(axis).name)]));
    this.showTails();
  }

  private newBrush(): Brush {
    const axes = this.state.view.targets.map((_, axis) => {
      const { name } = this.state.target(axis);
      return { name, format: (value: number) => this.state.forecast?.format(name, "fact")(value) ?? String(value), vertical: axis === 1 };
    });
    return new Brush(axes, (ranges) => this.state.setBrush(ranges && tidy(ranges)));
  }

  /** Ready-made parts, for the keyboard and for quick looks. */
  private showTails(): void {
    const parts: [string, (ordered: Float64Array, high: number, low: number) => [number, number]][] = [
      ["Lowest 10%", (ordered, _, low) => [Math.min(low, ordered[0]!), quantile(ordered, 0.1)]],
      ["Middle half", (ordered) => [quantile(ordered, 0.25), quantile(ordered, 0.75)]],
      ["Highest 10%", (ordered, high) => [quantile(ordered, 0.9), Math.max(high, ordered.at(-1)!)]],
    ];
    if (this.plane) parts.splice(0, 3, ["Both low", parts[0]![1]], ["Both in the middle", parts[1]![1]], ["Both high", parts[2]![1]]);
    const level = (axis: number, range: (o: Float64Array, h: number, l: number) => [number, number]) => {
      const target = this.state.target(axis);
      return range(this.state.forecast!.ordered(target.name), target.high, target.low);
    };
    put(this.tails, ...parts.map(([name, range]) => h("button", { type: "button", class: "quiet", onclick: () => {
      if (this.state.forecast) this.state.setBrush(tidy(this.state.view.targets.map((_, axis) => level(axis, range))));
    } }, name)));
  }

  private showEdges(): void {
    const { brush } = this.state;
    if (!brush) return put(this.edges);
    if (this.edges.contains(document.activeElement) && document.activeElement instanceof HTMLInputElement) return;
    const boxes = brush.flatMap((range, axis) => {
      const { name } = this.state.target(axis);
      const edge = (end: 0 | 1) => {
        const input = h("input", { type: "number", step: "any", value: String(range[end]),
          "aria-label": `${name} ${end === 0 ? "from" : "to"}` });
        input.onchange = () => {
          const ranges = this.state.brush?.map((one) => [...one]) as Ranges | undefined;
          if (!ranges || !Number.isFinite(input.valueAsNumber)) return;
          ranges[axis]![end] = input.valueAsNumber;
          ranges[axis]!.sort((a, b) => a - b);
          input.blur();
          this.state.setBrush(ranges);
        };
        return input;
      };
      return [h("span", { class: "edge" }, h("span", { class: "name" }, name), edge(0), "to", edge(1))];
    });
    const share = h("strong", { class: "share" });
    put(this.edges, ...boxes, share,
      h("button", { type: "button", class: "quiet", onclick: () => this.state.setBrush(null) }, "Clear"));
    this.showShare();
  }

  private showShare(): void {
    const place = this.edges.querySelector(".share");
    if (place) put(place, `${percent(this.state.share(this.state.forecast))} probability`,
      this.state.pinnedForecast && h("span", { class: "soft" }, ` (pinned: ${percent(this.state.share(this.state.pinnedForecast))})`));
  }

  /** By the width; higher where the panel beside is. */
  private size(): { width: number; height: number } {
    const width = Math.max(240, Math.floor(this.chart.clientWidth));
    const least = this.plane ? Math.min(460, Math.max(250, Math.round(width * 0.6))) : Math.min(340, Math.max(200, Math.round(width * 0.42)));
    this.chart.style.minHeight = `${least}px`;
    return { width, height: Math.max(least, Math.floor(this.chart.clientHeight)) };
  }

  /** The stretch an axis shows: what is forecast, and on request what is usual in training. It moves only when it has to. */
  private frame(axis: number): Frame {
    const index = this.state.view.targets[axis]!;
    const { name, quantiles } = this.state.model.targets[index]!;
    const all = [this.state.forecast, this.state.pinnedForecast].filter((one): one is Forecast => one !== null);
    const edge = (level: number) => all.map((one) => one.quantile(name, level));
    let needed: [number, number] = [Math.min(...edge(0.003)), Math.max(...edge(0.997))];
    const include = (from: number, to: number) => void (needed = [Math.min(needed[0], from), Math.max(needed[1], to)]);
    if (this.wide) include(quantiles[1]!, quantiles[11]!);
    const outcome = this.state.outcome?.[name];
    if (outcome !== undefined) include(outcome, outcome);
    if (this.state.brush) {
      // A region may reach far beyond the forecast: its near edge is shown, and as much of it as leaves the forecast large.
      const [from, to] = this.state.brush[axis]!, reach = kReach * (needed[1] - needed[0]);
      include(Math.max(from, Math.min(needed[0] - reach, to - reach)), Math.min(to, Math.max(needed[1] + reach, from + reach)));
    }
    const margin = 0.04 * (needed[1] - needed[0]) || Math.abs(needed[0]) * 0.1 || 1;
    const frame = this.frames.get(index);
    const fits = frame && frame.domain[0] <= needed[0] && frame.domain[1] >= needed[1] &&
      needed[1] - needed[0] > 0.45 * (frame.domain[1] - frame.domain[0]);
    if (fits) return frame;
    const fresh = { domain: [needed[0] - margin, needed[1] + margin] as [number, number], top: 0 };
    this.frames.set(index, fresh);
    return fresh;
  }

  private draw(): void {
    const { forecast } = this.state;
    if (!forecast || this.chart.clientWidth === 0) return;
    const drawing = this.plane ? this.drawPlane(forecast) : this.drawDensity(forecast);
    put(this.plot, drawing.element);
    this.brush.over(drawing);
    this.say(forecast);
    this.showShare();
    this.updates += 1;
    this.chart.dataset.updates = String(this.updates);
  }

  private drawDensity(forecast: Forecast): Drawing {
    const target = this.state.target();
    const frame = this.frame(0);
    const shape = (one: Forecast) => density(one.ordered(target.name), frame.domain, target.limits);
    const series = [{ density: shape(forecast), color: color("accent") }];
    const { pinnedForecast, outcome } = this.state;
    if (pinnedForecast) series.push({ density: shape(pinnedForecast), color: color("other"), ...{ dashed: true } });
    const peak = Math.max(...series.map((one) => one.density.top));
    if (peak > frame.top || peak < 0.45 * frame.top) frame.top = peak * 1.08;
    const marks = [{ at: forecast.quantile(target.name, 0.5), text: "median", color: color("accent") }];
    if (outcome?.[target.name] !== undefined) marks.push({ at: outcome[target.name]!, text: "outcome", color: color("ink") });
    return densityPlot(series, { ...this.size(), domain: frame.domain, top: frame.top, label: target.name, decimals: target.decimals,
      brushed: this.state.brush?.[0] ?? null, marks });
  }

  private drawPlane(forecast: Forecast): Drawing {
    const [x, y] = [this.state.target(0), this.state.target(1)];
    const one = (from: Forecast) => ({ x: from.draws[x.name]!, y: from.draws[y.name]! });
    const series = [{ ...one(forecast), color: color("accent") }];
    const { pinnedForecast, outcome } = this.state;
    if (pinnedForecast) series.push({ ...one(pinnedForecast), color: color("other"), ...{ dashed: true } });
    const at = outcome && x.name in outcome && y.name in outcome ? { x: outcome[x.name]!, y: outcome[y.name]! } : null;
    return planePlot(series, { ...this.size(), xDomain: this.frame(0).domain, yDomain: this.frame(1).domain, xLabel: x.name,
      yLabel: y.name, outcome: at });
  }

  private say(forecast: Forecast): void {
    const sentences = this.state.view.targets.map((_, axis) => {
      const { name } = this.state.target(axis);
      const format = forecast.format(name);
      const [low, high] = [forecast.quantile(name, (1 - kCoverage) / 2), forecast.quantile(name, (1 + kCoverage) / 2)];
      return h("p", {}, this.plane && h("strong", { class: "of" }, breakable(name), " "), h("span", { class: "big" }, format(forecast.quantile(name, 0.5))),
        h("span", {}, " median, ",
          h("strong", {}, `${format(low)} to ${format(high)}`), ` with ${percent(kCoverage)} probability`),
        h("span", { class: "soft" }, `, mean\u00a0${forecast.format(name, "mean")(forecast.mean(name))}`), ...this.outcomeWords(forecast, name, low, high));
    });
    put(this.words, ...sentences);
    put(this.legend, this.state.pinned && h("span", { class: "key" }, h("i", { class: "swatch" }), "this row"),
      this.state.pinned && h("span", { class: "key" }, h("i", { class: "swatch other" }), "pinned row"));
  }

  /** Where the observed value lies in the forecast; samples equal to it count half. */
  private outcomeWords(forecast: Forecast, name: string, low: number, high: number): (Node | string)[] {
    const outcome = this.state.outcome?.[name];
    if (outcome === undefined) return [];
    const ordered = forecast.ordered(name);
    const below = ordered.reduce((sum, value) => sum + (value < outcome ? 1 : value === outcome ? 0.5 : 0), 0) / ordered.length;
    const place = outcome >= low && outcome <= high ? "inside the interval" : outcome < low ? "below the interval" : "above the interval";
    return [h("span", { class: "outcome" }, " The outcome is ", h("strong", {}, forecast.format(name, "fact")(outcome)),
      `, ${place}: ${percent(below)} of the samples are lower.`)];
  }
}

/** Edges with as many digits as a screen can tell apart, rounded outwards: a sample that is an edge stays inside. */
export function tidy(ranges: Ranges): Ranges {
  return ranges.map(([low, high]) => {
    if (!(high > low)) return [low, high];
    const step = 10 ** Math.floor(Math.log10((high - low) / 500));
    const digits = (value: number) => Math.min(15, Math.max(1, Math.ceil(Math.log10(Math.abs(value) / step || 1)) + 1));
    const near = (value: number, round: (x: number) => number) => Number((round(value / step) * step).toPrecision(digits(value)));
    return [Math.min(low, near(low, Math.floor)), Math.max(high, near(high, Math.ceil))];
  });
}
