import { afterPause, h, latestOnly, put } from "../shared/dom";
import { functionsPlot } from "../shared/plots";
import { getFunctions, type Functions, type NumberFeature, type Row } from "./api";
import { cellText, targetFormat, type State } from "./state";

/** Sample functions: the noise of each is fixed, one feature runs, the others stand as in the row. */

const kCount = 40;

export class FunctionsPanel {
  readonly element: HTMLElement;
  private readonly choice: HTMLSelectElement;
  private readonly target = h("select", { "aria-label": "Target" });
  private readonly chart = h("div", { class: "chart", role: "img" });
  private readonly problem = h("p", { class: "notice", role: "status" });
  private functions: Functions | null = null;
  private readonly ask = latestOnly(async (wish: { row: Row; vary: NumberFeature }) => {
    try {
      this.functions = await getFunctions(wish.row, wish.vary.name, wish.vary.quantiles[1]!, wish.vary.quantiles[11]!, kCount);
      put(this.problem);
      this.draw();
    } catch (error) {
      put(this.problem, `${(error as Error).message}.`);
    }
  });
  private readonly askSoon = afterPause(60, () => this.renew());

  constructor(private readonly state: State) {
    const numbers = this.numbers();
    this.choice = h("select", { "aria-label": "Feature to run along" },
      ...numbers.map((feature) => h("option", { value: feature.name }, feature.name)));
    put(this.target, ...state.model.targets.map((target) => h("option", { value: target.name }, target.name)));
    this.target.hidden = state.model.targets.length < 2;
    this.element = h("section", { class: "card functions-panel", "aria-labelledby": "functions-title" },
      h("header", {}, h("h2", { id: "functions-title" }, "Along a feature"), this.target, this.choice),
      h("p", { class: "soft small" }, "Each line is one world the model believes in: its luck is fixed, the feature runs, all else stays " +
        "as in the row. Before calibration."),
      this.problem, this.chart);
    this.choice.onchange = () => this.renew();
    this.target.onchange = () => this.draw();
    state.on("row", this.askSoon);
    new ResizeObserver(() => this.draw()).observe(this.chart);
    this.renew();
  }

  private numbers(): NumberFeature[] {
    return this.state.model.features.filter((one): one is NumberFeature => one.type === "number" && one.high > one.low);
  }

  private get vary(): NumberFeature | undefined {
    return this.numbers().find((one) => one.name === this.choice.value);
  }

  private renew(): void {
    if (this.vary) void this.ask({ row: this.state.row, vary: this.vary });
    else put(this.problem, "The model has no feature that is a number and varies.");
  }

  private draw(): void {
    const { vary, functions } = this;
    if (!vary || !functions || this.chart.clientWidth === 0) return;
    const target = this.state.model.targets.find((one) => one.name === this.target.value)!;
    const width = Math.max(240, Math.floor(this.chart.clientWidth));
    const lines = functions.functions[target.name]!;
    const at = this.state.row[vary.name];
    const yFormat = targetFormat(target);
    const drawing = functionsPlot(functions.values, lines, { width, height: Math.min(380, Math.max(220, Math.round(width * 0.42))),
      xLabel: vary.name, yLabel: target.name, dates: vary.dates, at: typeof at === "number" ? at : null, atText: cellText(vary, at ?? null) });
    put(this.chart, drawing.element);
    const middle = (j: number) => lines.map((line) => line[j]!).sort((a, b) => a - b)[lines.length >> 1]!;
    this.chart.setAttribute("aria-label", `${lines.length} sample functions of ${target.name} over ${vary.name}: the middle one runs ` +
      `from ${yFormat(middle(0))} at ${cellText(vary, functions.values[0]!)} to ${yFormat(middle(functions.values.length - 1))} at ` +
      `${cellText(vary, functions.values.at(-1)!)}.`);
  }
}
