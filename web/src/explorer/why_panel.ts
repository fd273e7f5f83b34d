import { afterPause, h, put } from "../shared/dom";
import { counted, formatterFor, percent, points, signed } from "../shared/format";
import { getExplanation, Refusal, type Explanation, type Question } from "./api";
import { cellText, targetFormat, type State } from "./state";

/** Which features make the forecast what it is, or the part that is brushed. */

const kShown = 12;
const kPause = 180;
/** Draws behind an explanation: a second's work on two cores. */
const kBudget = 2_000_000;
const kSamples = 256;

interface Choice {
  of: string;
  name: string;
}

const kWhole: Choice[] = [
  { of: "mean", name: "the mean" },
  { of: "sd", name: "the spread" },
  { of: "quantile:0.05", name: "the low end (5%)" },
  { of: "quantile:0.95", name: "the high end (95%)" },
];
const kPart: Choice[] = [
  { of: "region", name: "the chance of this part" },
  { of: "mean", name: "the values in this part" },
];

export class WhyPanel {
  readonly element: HTMLElement;
  private readonly choice = h("select", { "aria-label": "What is explained" });
  private readonly target = h("select", { "aria-label": "Of which target" });
  private readonly words = h("p", { class: "why-words", "aria-live": "polite" });
  private readonly bars = h("table", { class: "bars" });
  private readonly problem = h("p", { class: "notice", role: "status" });
  private readonly note = h("p", { class: "soft small" });
  private wished = { whole: "mean", part: "region" };
  private stopping: AbortController | null = null;
  private readonly askSoon = afterPause(kPause, () => void this.ask());

  constructor(private readonly state: State) {
    this.element = h("section", { class: "card why-panel", "aria-labelledby": "why-title" },
      h("header", {}, h("h2", { id: "why-title" }, "What drives it"), this.target, this.choice),
      this.words, this.problem, this.bars, this.note);
    this.choice.onchange = () => {
      this.wished[state.brush ? "part" : "whole"] = this.choice.value;
      this.showChoices();
      this.askSoon();
    };
    this.target.onchange = () => this.askSoon();
    for (const news of ["row", "brush", "view"] as const)
      state.on(news, () => {
        this.showChoices();
        this.element.classList.add("stale");
        this.askSoon();
      });
    this.showChoices();
    this.askSoon();
  }

  private get of(): string {
    return this.state.brush ? this.wished.part : this.wished.whole;
  }

  private showChoices(): void {
    const choices = this.state.brush ? kPart : kWhole;
    if (this.choice.options.length !== choices.length)
      put(this.choice, ...choices.map((one) => h("option", { value: one.of }, one.name)));
    this.choice.value = this.of;
    const names = this.state.view.targets.map((_, axis) => this.state.target(axis).name);
    if ([...this.target.options].map((one) => one.value).join() !== names.join())
      put(this.target, ...names.map((name) => h("option", { value: name }, name)));
    this.target.hidden = names.length < 2 || this.of === "region";
  }

  private question(): Question {
    const { model, row } = this.state;
    const features = model.features.length;
    const sets = features <= 12 ? 2 ** features : Math.max(2 * features + 2, 400);
    return { row, of: this.of, target: this.of === "region" ? undefined : this.target.value, where: this.state.where(),
      samples: kSamples, background_rows: Math.max(4, Math.min(50, Math.floor(kBudget / (sets * kSamples)))),
      coalitions: features <= 12 ? undefined : sets };
  }

  private async ask(): Promise<void> {
    this.stopping?.abort();
    const stopping = (this.stopping = new AbortController());
    const question = this.question();
    this.element.classList.add("busy");
    try {
      const answer = await getExplanation(question, stopping.signal);
      if (stopping.signal.aborted) return;
      put(this.problem);
      if (answer.features.every((one) => Math.abs(one.value) < 1e-12) && question.of === "region") this.sayNothing(answer);
      else this.show(answer, question);
    } catch (error) {
      if (stopping.signal.aborted) return;
      const empty = error instanceof Refusal && error.field === "where";
      put(this.problem, empty ? "None of this row's outcomes lie in this part: there is nothing to explain there. Widen it."
        : error instanceof Refusal && error.hint ? `${error.message}; ${error.hint}.` : `${(error as Error).message}.`);
      put(this.bars);
      put(this.words);
    }
    this.element.classList.remove("busy", "stale");
  }

  /** A part that nothing makes more or less likely. */
  private sayNothing(answer: Explanation): void {
    put(this.bars);
    put(this.note);
    put(this.words, answer.output > 0 ? "This part is equally likely everywhere: no feature matters for it."
      : "Neither this row nor the rows it is compared with ever land in this part. Widen it.");
    this.bars.dataset.shown = `region ${this.state.where() ?? ""} ${answer.output}`;
  }

  private show(answer: Explanation, question: Question): void {
    const chance = question.of === "region";
    const target = this.state.model.targets.find((one) => one.name === question.target) ?? this.state.target(0);
    const scale = Math.max(...answer.features.map((one) => Math.abs(one.value)), 1e-300);
    const usual = targetFormat(target);
    const fine = formatterFor(scale * 2);
    const value = (x: number) => (chance ? percent(x) : question.of === "sd" ? fine(x) : usual(x));
    const change = (x: number) => (chance ? points(x) : signed(fine(x)));
    put(this.words, ...this.sentence(answer, question, value));
    const order = [...answer.features].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
    const shown = order.slice(0, kShown);
    const rest = order.slice(kShown);
    const rows = shown.map((one) => this.bar(one.name, one.cell, one.value, scale, change));
    if (rest.length > 0)
      rows.push(this.bar(counted(rest.length, "other feature"), "", rest.reduce((sum, one) => sum + one.value, 0), scale, change));
    put(this.bars,
      h("caption", { class: "visually-hidden" }, "Contribution of each feature"),
      h("thead", { class: "visually-hidden" }, h("tr", {}, h("th", { scope: "col" }, "Feature"), h("th", { scope: "col" }, "Share"),
        h("th", { scope: "col" }, "Contribution"))),
      h("tbody", {}, ...rows));
    this.bars.dataset.shown = `${question.of} ${question.where ?? ""} ${answer.output}`;
    put(this.note, `${chance ? "In points of a hundred. " : ""}Shapley values from ${answer.samples} draws, against ${counted(answer.background_rows, "row")} ` +
      `${this.state.model.background === "given" ? "of the background table" : "made from the training values"}` +
      `${answer.exact ? "" : ", sampled"}.`);
  }

  private sentence(answer: Explanation, question: Question, value: (x: number) => string): (Node | string)[] {
    const strong = (x: number) => h("strong", {}, value(x));
    if (question.of === "region")
      return ["Elsewhere the chance of this part is ", strong(answer.base), "; for this row it is ", strong(answer.output), "."];
    const what = (question.where ? "The mean of the outcomes in this part"
      : { mean: "The mean", sd: "The standard deviation", "quantile:0.05": "The low end", "quantile:0.95": "The high end" }[question.of])!;
    return [`${what} is `, strong(answer.output), question.where ? "; with the same luck elsewhere it would be " : "; elsewhere it is ",
      strong(answer.base), " on average."];
  }

  private bar(name: string, cell: string, value: number, scale: number, change: (x: number) => string): HTMLElement {
    const feature = this.state.model.features.find((one) => one.name === name);
    const shown = feature ? cellText(feature, feature.type === "number" && !feature.dates && cell !== "" ? Number(cell) : cell || null) : "";
    const share = Math.min(1, Math.abs(value) / scale) * 50;
    return h("tr", {},
      h("th", { scope: "row" }, h("span", { class: "name", title: name }, name), shown && h("span", { class: "cell" }, shown)),
      h("td", { class: "track", "aria-hidden": "true" },
        h("span", { class: `bar ${value < 0 ? "down" : "up"}`, style: `width:${share}%;left:${value < 0 ? 50 - share : 50}%` })),
      h("td", { class: "number" }, change(value)));
  }
}
