import { Brush, type Ranges } from "../shared/brush";
import { density, mean, quantile, sorted } from "../shared/density";
import { h, put } from "../shared/dom";
import { percent } from "../shared/format";
import { densityPlot, planePlot, type Drawing } from "../shared/plots";
import { color } from "../shared/theme";
import type { Draws } from "./api";
import { targetFormat, type State } from "./state";

/** The forecast: a density for one target, a cloud for two, with a brush over it, and what it says in words. */

const kCoverage = 0.9;

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
  private readonly words = h("div", { class: "headline", "aria-live": "polite" });
  private readonly legend = h("div", { class: "legend small" });
  private readonly edges = h("div", { class: "edges" });
  private readonly tails = h("div", { class: "buttons" });
  private brush: Brush;
  private zoomed = false;
  private frames = new Map<number, Frame>();

  constructor(private readonly state: State) {
    const zoom = h("button", { type: "button", class: "quiet", "aria-pressed": "false", onclick: () => {
      this.zoomed = !this.zoomed;
      zoom.setAttribute("aria-pressed", String(this.zoomed));
      this.frames.clear();
      this.draw();
    } }, "Zoom in");
    this.brush = this.newBrush();
    this.element = h("section", { class: "card forecast-panel", "aria-labelledby": "forecast-title" },
      h("header", {}, h("h2", { id: "forecast-title" }, "Forecast"), this.viewChoice(), zoom),
      this.words, this.legend, this.chart,
      h("div", { class: "part" }, h("span", { class: "soft small part-title" }, "Pick a part: drag in the drawing, or"), this.tails,
        this.edges));
    put(this.chart, this.plot, this.brush.element);
    state.on("draws", () => this.draw());
    state.on("pinned", () => this.draw());
    state.on("view", () => {
      this.frames.clear();
      this.brush = this.newBrush();
      put(this.chart, this.plot, this.brush.element);
      this.showTails();
      this.draw();
    });
    state.on("brush", () => {
      this.brush.set(state.brush);
      this.draw();
      this.showEdges();
    });
    new ResizeObserver(() => this.draw()).observe(this.chart);
    this.showTails();
    this.showEdges();
  }

  private get plane(): boolean {
    return this.state.view.targets.length === 2;
  }

  private newBrush(): Brush {
    const axes = this.state.view.targets.map((_, axis) => ({
      name: this.state.target(axis).name, format: targetFormat(this.state.target(axis)), vertical: axis === 1 }));
    return new Brush(axes, (ranges) => this.state.setBrush(ranges && tidy(ranges)));
  }

  /** One button per target, and one for the plane of two; lists where there are many. */
  private viewChoice(): HTMLElement | null {
    const { targets } = this.state.model;
    if (targets.length === 1) return null;
    const views = targets.map((target, i) => ({ name: target.name, targets: [i] }));
    for (let a = 0; a < targets.length; ++a)
      for (let b = a + 1; b < targets.length; ++b)
        views.push({ name: `${targets[a]!.name} × ${targets[b]!.name}`, targets: [a, b] });
    if (views.length > 4) {
      const select = h("select", { "aria-label": "Targets shown" },
        ...views.map((view, i) => h("option", { value: String(i) }, view.name)));
      select.onchange = () => this.state.setView(views[Number(select.value)]!);
      return select;
    }
    const buttons = views.map((view, i) => h("button", { type: "button", "aria-pressed": String(i === 0), onclick: () => {
      buttons.forEach((button, j) => button.setAttribute("aria-pressed", String(i === j)));
      this.state.setView(view);
    } }, view.name));
    return h("div", { class: "segments", role: "group", "aria-label": "Targets shown" }, ...buttons);
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
      return range(sorted(this.state.draws![target.name]!), target.high, target.low);
    };
    put(this.tails, ...parts.map(([name, range]) => h("button", { type: "button", class: "quiet", onclick: () => {
      if (this.state.draws) this.state.setBrush(tidy(this.state.view.targets.map((_, axis) => level(axis, range))));
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
    if (place) put(place, `${percent(this.state.share(this.state.draws))} of outcomes`,
      this.state.pinnedDraws && h("span", { class: "soft" }, ` (pinned: ${percent(this.state.share(this.state.pinnedDraws))})`));
  }

  private size(): { width: number; height: number } {
    const width = Math.max(240, Math.floor(this.chart.clientWidth));
    const height = this.plane ? Math.min(460, Math.max(250, Math.round(width * 0.6)))
                              : Math.min(380, Math.max(190, Math.round(width * 0.36)));
    return { width, height };
  }

  /** The stretch an axis shows: what is usual in training, and what is forecast. It moves only when it has to. */
  private frame(axis: number): Frame {
    const index = this.state.view.targets[axis]!;
    const { name, quantiles, low, high } = this.state.model.targets[index]!;
    const all = [this.state.draws, this.state.pinnedDraws].filter((d): d is Draws => d !== null).map((d) => sorted(d[name]!));
    const edge = (level: number) => all.map((ordered) => quantile(ordered, level));
    let needed: [number, number] = [Math.min(...edge(0.003)), Math.max(...edge(0.997))];
    if (!this.zoomed) needed = [Math.min(needed[0], quantiles[1]!), Math.max(needed[1], quantiles[11]!)];
    for (const one of this.state.brush ? [this.state.brush[axis]!] : [])
      needed = [Math.min(needed[0], Math.max(one[0], low)), Math.max(needed[1], Math.min(one[1], high))];
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
    const { draws } = this.state;
    if (!draws || this.chart.clientWidth === 0) return;
    const drawing = this.plane ? this.drawPlane(draws) : this.drawDensity(draws);
    put(this.plot, drawing.element);
    this.brush.over(drawing);
    this.say(draws);
    this.showShare();
    this.updates += 1;
    this.chart.dataset.updates = String(this.updates);
  }

  private drawDensity(draws: Draws): Drawing {
    const target = this.state.target(0);
    const frame = this.frame(0);
    const ordered = sorted(draws[target.name]!);
    const series = [{ curve: density(ordered, ...frame.domain), color: color("accent") }];
    const { pinnedDraws } = this.state;
    if (pinnedDraws)
      series.push({ curve: density(sorted(pinnedDraws[target.name]!), ...frame.domain), color: color("other"), ...{ dashed: true } });
    const peak = Math.max(...series.map((one) => Math.max(...one.curve.y)));
    if (peak > frame.top || peak < 0.45 * frame.top) frame.top = peak * 1.08;
    return densityPlot(series, { ...this.size(), domain: frame.domain, top: frame.top, label: target.name,
      brushed: this.state.brush?.[0] ?? null,
      marks: [{ at: quantile(ordered, 0.5), text: "median", color: color("accent") }] });
  }

  private drawPlane(draws: Draws): Drawing {
    const [x, y] = [this.state.target(0), this.state.target(1)];
    const one = (from: Draws) => ({ x: from[x.name]!, y: from[y.name]! });
    const series = [{ ...one(draws), color: color("accent") }];
    if (this.state.pinnedDraws) series.push({ ...one(this.state.pinnedDraws), color: color("other"), ...{ dashed: true } });
    return planePlot(series, { ...this.size(), xDomain: this.frame(0).domain, yDomain: this.frame(1).domain, xLabel: x.name,
      yLabel: y.name });
  }

  private say(draws: Draws): void {
    const sentences = this.state.view.targets.map((_, axis) => {
      const target = this.state.target(axis);
      const format = targetFormat(target);
      const ordered = sorted(draws[target.name]!);
      const [low, high] = [quantile(ordered, (1 - kCoverage) / 2), quantile(ordered, (1 + kCoverage) / 2)];
      return h("p", {}, h("span", { class: "big" }, format(quantile(ordered, 0.5))),
        h("span", {}, ` ${this.plane ? `${target.name}: median` : "median"}, `,
          h("strong", {}, `${format(low)} to ${format(high)}`), ` with ${percent(kCoverage)} probability`),
        h("span", { class: "soft" }, `, mean ${format(mean(ordered))}`));
    });
    put(this.words, ...sentences);
    put(this.legend, this.state.pinned && h("span", { class: "key" }, h("i", { class: "swatch" }), "this row"),
      this.state.pinned && h("span", { class: "key" }, h("i", { class: "swatch other" }), "pinned row"));
  }
}

/** Edges with as many digits as a screen can tell apart. */
function tidy(ranges: Ranges): Ranges {
  return ranges.map(([low, high]) => {
    const digits = Math.min(15, Math.max(4, 3 + Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high)) / (high - low || 1)))));
    return [Number(low.toPrecision(digits)), Number(high.toPrecision(digits))];
  });
}
