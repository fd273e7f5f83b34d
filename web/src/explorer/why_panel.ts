import { afterPause, breakable, h, put } from "../shared/dom";
import { counted, estimateFormat, percent, pointsFormat, signed } from "../shared/format";
import { getExplanation, inWords, Refusal, type Explanation, type Question } from "./api";
import { cellText, kSamples, type Forecast, type State } from "./state";

/** Contributions of the features to the forecast, or to the selected region. A first answer comes quickly, from few background
 * rows; then it is refined. */

const kShown = 12;
const kPause = 120;
/** Background rows of the first answer and of those that follow. */
const kRefinements = [8, 24, 72, 200];
/** Samples behind them: those of the forecast, or fewer where there are so many features that it would take long. */
const kManyFeatures = 30, kFewSamples = 250;
/** A value lies within so many standard errors in 95 of 100 cases. */
const kWhisker = 2;

interface Choice {
  of: string;
  name: string;
}

const kWhole: Choice[] = [
  { of: "mean", name: "the mean" },
  { of: "sd", name: "the spread" },
  { of: "quantile:0.05", name: "the 5% quantile" },
  { of: "quantile:0.95", name: "the 95% quantile" },
];
const kPart: Choice[] = [
  { of: "region", name: "the probability of this region" },
  { of: "mean", name: "the mean within this region" },
];

interface Bar {
  name: string;
  cell: string;
  value: number;
  error: number;
}

export class WhyPanel {
  readonly element: HTMLElement;
  private readonly choice = h("select", { "aria-label": "What to explain" });
  private readonly target = h("select", { "aria-label": "Target" });
  private readonly words = h("p", { class: "why-words", "aria-live": "polite" });
  private readonly bars = h("table", { class: "bars" });
  private readonly problem = h("p", { class: "notice", role: "status" });
  private readonly note = h("p", { class: "soft small" });
  private stopping: AbortController | null = null;
  private readonly askSoon = afterPause(kPause, () => void this.ask());

  constructor(private readonly state: State) {
    this.element = h("section", { class: "card why-panel", "aria-labelledby": "why-title" },
      h("header", {}, h("h2", { id: "why-title" }, "Explanation"), this.target, this.choice),
      this.words, this.problem, this.bars, this.note);
    this.choice.onchange = () => state.setQuestion(this.choice.value);
    this.target.onchange = () => this.renew();
    state.on(["row", "brush", "view", "question"], () => this.renew());
    this.renew();
  }

  private renew(): void {
    this.showChoices();
    this.stopping?.abort();
    this.element.classList.add("stale", "busy");
    this.askSoon();
  }

  private showChoices(): void {
    const choices = this.state.brush ? kPart : kWhole;
    if ([...this.choice.options].map((one) => one.value).join() !== choices.map((one) => one.of).join())
      put(this.choice, ...choices.map((one) => h("option", { value: one.of }, one.name)));
    this.choice.value = this.state.question;
    const names = this.state.view.targets.map((_, axis) => this.state.target(axis).name);
    if ([...this.target.options].map((one) => one.value).join() !== names.join())
      put(this.target, ...names.map((name) => h("option", { value: name }, name)));
    this.target.hidden = names.length < 2 || this.state.question === "region";
  }

  private async ask(): Promise<void> {
    this.stopping?.abort();
    const stopping = (this.stopping = new AbortController());
    const of = this.state.question;
    const question = { row: this.state.row, of, target: of === "region" ? undefined : this.target.value, where: this.state.where(),
      samples: this.state.model.features.length > kManyFeatures ? kFewSamples : kSamples };
    try {
      for (const background_rows of kRefinements) {
        const answer = await getExplanation({ ...question, background_rows }, stopping.signal);
        if (stopping.signal.aborted) return;
        put(this.problem);
        for (const one of answer.features) one.error ??= Math.abs(one.value); // unknown after one row
        const complete = background_rows === kRefinements.at(-1) || answer.background_rows < background_rows;
        this.show(answer, { ...question, background_rows }, complete);
        this.element.classList.remove("stale");
        if (complete) break;
      }
    } catch (error) {
      if (stopping.signal.aborted) return;
      this.fail(error);
    }
    this.element.classList.remove("busy");
  }

  private fail(error: unknown): void {
    if (error instanceof Refusal && error.status === 0) return; // the connection has a line of its own
    const empty = error instanceof Refusal && error.field === "where";
    put(this.problem, empty ? "No samples of this row are in this region: widen it." : inWords(error));
    put(this.bars);
    put(this.words);
    put(this.note);
    this.element.classList.remove("stale");
  }

  private show(answer: Explanation, question: Question, complete: boolean): void {
    this.bars.dataset.shown = `${question.of} ${question.where ?? ""} ${answer.output}`;
    this.bars.dataset.rows = String(answer.background_rows);
    const chance = question.of === "region";
    if (chance && answer.features.every((one) => Math.abs(one.value) < 1e-12)) return this.sayNothing(answer);
    put(this.words, ...this.sentence(answer, question));
    const order = [...answer.features].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
    const shown: Bar[] = order.slice(0, kShown);
    const rest = order.slice(kShown);
    if (rest.length > 0)
      shown.push({ name: counted(rest.length, "other feature"), cell: "", value: rest.reduce((sum, one) => sum + one.value, 0),
        error: Math.hypot(...rest.map((one) => one.error)) });
    const ends = shown.flatMap(({ value, error }) => [value - kWhisker * error, value + kWhisker * error, value]);
    const axis: [number, number] = [Math.min(0, ...ends), Math.max(1e-300, ...ends)];
    const change = changeFormat(shown.map((one) => one.error), Math.max(...ends.map(Math.abs)), chance);
    this.bars.style.setProperty("--zero", `${(100 * -axis[0]) / (axis[1] - axis[0])}%`);
    put(this.bars,
      h("caption", { class: "visually-hidden" }, "Contribution of each feature"),
      h("thead", { class: "visually-hidden" }, h("tr", {}, h("th", { scope: "col" }, "Feature"), h("th", { scope: "col" }, "Share"),
        h("th", { scope: "col" }, "Contribution"))),
      h("tbody", {}, ...shown.map((one) => this.bar(one, axis, change))));
    put(this.note, this.noteText(answer, chance, complete, shown.some((one) => one.error > 0)));
  }

  private noteText(answer: Explanation, chance: boolean, complete: boolean, whiskers: boolean): string {
    const rows = counted(answer.background_rows, "row");
    const from = this.state.model.background === "given" ? "of the background table" : "generated from the training values";
    return `${chance ? "In percentage points. " : ""}Shapley values against ${rows} ${from}` +
      (complete ? "." : `, being refined to ${kRefinements.at(-1)}.`) +
      (whiskers ? " Whiskers: 95% interval of each value; pale where it includes\u00a00." : "");
  }

  /** A region whose probability no feature changes. */
  private sayNothing(answer: Explanation): void {
    put(this.bars);
    put(this.note);
    put(this.words, answer.output > 0 ? "This region has the same probability for all rows: no feature affects it."
      : "Neither this row nor the background rows have samples in this region: widen it.");
  }

  private sentence(answer: Explanation, question: Question): (Node | string)[] {
    const { forecast } = this.state;
    const mine = forecast?.row === question.row ? forecast : null;
    const name = question.target ?? this.state.target().name;
    const plain = mine?.format(name, "mean") ?? estimateFormat(Math.abs(answer.output));
    const strong = (x: number) => h("strong", {}, question.of === "region" ? percent(x) : plain(x));
    const output = (mine && this.fromForecast(mine, question, name)) ?? answer.output;
    if (question.of === "region")
      return ["The mean probability of this region over the background rows is ", strong(answer.base), "; for this row it is ",
        strong(output), "."];
    const what = (question.where ? "The mean of the samples in this region"
      : { mean: "The mean", sd: "The standard deviation", "quantile:0.05": "The 5% quantile", "quantile:0.95": "The 95% quantile" }[question.of])!;
    return [`${what} is `, strong(output), question.where ? "; with the same noise, the mean over the background rows is "
      : "; the mean over the background rows is ", strong(answer.base), "."];
  }

  /** The explained number of this row from the forecast's own samples, so that it is the same everywhere on the page. */
  private fromForecast(forecast: Forecast, { of, where }: Question, name: string): number | null {
    if (of === "region") return this.state.share(forecast);
    if (where) return null;
    const level = /^quantile:(.*)/.exec(of)?.[1];
    return of === "mean" ? forecast.mean(name) : of === "sd" ? forecast.sd(name) : level ? forecast.quantile(name, Number(level)) : null;
  }

  private bar({ name, cell, value, error }: Bar, [left, right]: [number, number], change: (x: number) => string): HTMLElement {
    const feature = this.state.model.features.find((one) => one.name === name);
    const shown = feature ? cellText(feature, feature.type === "number" && !feature.dates && cell !== "" ? Number(cell) : cell || null) : "";
    const place = (x: number) => (100 * (x - left)) / (right - left);
    const [low, high] = [value - kWhisker * error, value + kWhisker * error];
    const doubtful = low <= 0 && high >= 0;
    const [from, to] = [place(Math.min(0, value)), place(Math.max(0, value))];
    const range = error > 0 ? `${change(low)} to ${change(high)}` : "";
    return h("tr", { class: doubtful ? "doubtful" : undefined, title: range && `95% interval: ${range}` },
      h("th", { scope: "row" }, h("span", { class: "name" }, feature ? breakable(name) : name), " ", shown && h("span", { class: "cell" }, shown)),
      h("td", { class: "track", "aria-hidden": "true" },
        h("span", { class: `bar ${value < 0 ? "down" : "up"}`, style: `width:${to - from}%;left:${from}%` }),
        error > 0 && h("span", { class: "whisker", style: `left:${place(low)}%;width:${place(high) - place(low)}%` })),
      h("td", { class: "number" }, change(value), range && h("span", { class: "visually-hidden" }, `, 95% interval ${range}`)));
  }
}

/** As many decimals for all bars as the middle one of their errors settles; where there are no errors, three digits of the greatest bar. */
export function changeFormat(errors: number[], scale: number, chance: boolean): (x: number) => string {
  const middle = [...errors].sort((a, b) => a - b)[errors.length >> 1] ?? 0;
  const power = Math.max(Math.floor(Math.log10(scale || 1)) - 2, middle > 0 ? Math.round(Math.log10(middle)) : -Infinity);
  if (chance) return pointsFormat(10 ** power);
  const format = estimateFormat(10 ** (power + 3));
  return (x) => signed(format(x));
}
