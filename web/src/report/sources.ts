import { h } from "../shared/dom";
import { counted, formatterFor, percent } from "../shared/format";
import { driftBars, learningCurves } from "./charts";
import type { Drift, Effect, Report } from "./data";
import { chart, figure, help, key, section, tableOf } from "./parts";

const kShownBars = 12;

function bars(report: Report, title: string, caption: string, effects: Effect[], unit: (value: number) => string): HTMLElement {
  const order = effects.map((_, i) => i).sort((a, b) => effects[b]!.size - effects[a]!.size);
  const largest = effects[order[0]!]?.size || 1;
  const line = (i: number) => {
    const { size, direction } = effects[i]!;
    const way = Math.abs(direction) < 0.35 || size < 0.02 * largest ? "" : direction > 0 ? "↑ higher raises it" : "↓ higher lowers it";
    return h("tr", {}, h("th", { scope: "row" }, report.features[i]!.name),
      h("td", { class: "bar-cell" }, h("span", { class: "bar-track", "aria-hidden": "true" }, h("i", { style: `width: ${(100 * size) / largest}%` })),
        h("span", { class: "soft small" }, way)),
      h("td", { class: "number" }, unit(size)));
  };
  const table = (lines: number[]) => h("table", { class: "bars" },
    h("thead", { class: "visually-hidden" }, h("tr", {}, ...["Feature", "Direction", "Mean size"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, ...lines.map(line)));
  return h("figure", {}, h("h3", {}, title), h("figcaption", {}, caption), table(order.slice(0, kShownBars)),
    order.length > kShownBars && h("details", { class: "help" }, h("summary", {}, `${order.length - kShownBars} more`), table(order.slice(kShownBars))));
}

export function drivers(report: Report, t: number): HTMLElement | null {
  const target = report.targets[t]!;
  if (!target.drivers) return null;
  const { rows, background, sets, exact } = report.drivers;
  const format = formatterFor(target.spread / 10);
  const top = (effects: Effect[]) => report.features[effects.map((_, i) => i).sort((a, b) => effects[b]!.size - effects[a]!.size)[0]!]!.name;
  const [first, second] = [top(target.drivers.mean), top(target.drivers.spread)];
  const moved = [...target.drivers.mean, ...target.drivers.spread].some((effect) => effect.size > 0);
  return section("drivers", "What drives the forecasts", !moved
    ? `No feature moves the forecast of ${target.name} on these rows.`
    : first === second
    ? `${first} moves the forecast of ${target.name} most, and how sure it is as well.`
    : `${first} moves the forecast of ${target.name} most; ${second} decides most how sure it is.`,
    h("div", { class: "pair" },
      bars(report, "The mean", `By how much a feature moves the mean of ${target.name}, on average.`, target.drivers.mean, format),
      bars(report, "The spread", "By how much it moves the standard deviation: how sure the forecast is.", target.drivers.spread, format)),
    help("How this is found", `Mean absolute Shapley values over ${counted(rows, "row")} against ${counted(background, "other row")}, ` +
      (exact ? "over all sets of features." : `over ${sets.toLocaleString("en-US")} sets of features each: estimates.`) +
      " They tell what the model uses, not what causes what."));
}

const kVerdicts = { same: "as in training", some: "somewhat different", large: "very different" };
const kShownDrift = 15;

export function drift(report: Report): HTMLElement {
  const rank = { large: 0, some: 1, same: 2 };
  const order = [...report.drift].sort((a, b) => rank[a.verdict] - rank[b.verdict] || (b.psi ?? 0) - (a.psi ?? 0));
  const differ = order.filter((one) => one.verdict !== "same");
  const size = (one: Drift) => one.psi !== undefined ? (one.psi < 0.001 ? "<0.001" : one.psi.toFixed(3)) : one.shift !== undefined ? `mean shifted by ${one.shift.toFixed(2)} sd` : "–";
  const picture = (one: Drift) => {
    if (!one.expected || !one.actual) return "";
    const image = h("span", { class: "spark", role: "img", "aria-label": `shares of rows over the training deciles: ${one.actual.map((share) => percent(share)).join(", ")}` });
    image.append(driftBars(one.expected, one.actual));
    return image;
  };
  const details = (one: Drift) => one.words || (one.unseen?.length ? one.unseen.join(", ") :
    one.levels !== undefined ? `${one.met} of ${counted(one.levels, "known level")} met` : one.gaps > 0 ? `${counted(one.gaps, "row")} without a value` : "");
  const table = (lines: Drift[], name: string) => tableOf(name, ["Feature", "Data against training", "Shares of rows", "Stability index", "Details"], lines.map((one) =>
    [one.name, h("span", { class: `verdict-${one.verdict}` }, kVerdicts[one.verdict]), picture(one), size(one), details(one)]), 9);
  const said = differ.length === 0 ? report.drift.length === 1 ? "The feature looks as it did in training." : `All ${report.drift.length} features look as they did in training.`
    : `${differ.length} of ${counted(report.drift.length, "feature")} ${differ.length === 1 ? "differs" : "differ"} from the training rows.`;
  return section("drift", "Is this data like the training data?", `${said} A model is only as good as its training rows are like the new ones.`,
    table(order.slice(0, kShownDrift), "Drift of the features"),
    order.length > kShownDrift ? h("details", { class: "help" }, h("summary", {}, `${order.length - kShownDrift} more`), table(order.slice(kShownDrift), "Drift of the other features")) : null,
    report.drift.some((one) => one.expected) ? h("div", { class: "legend" }, key("accent", "rows of this data"), key("tick", "training rows, over the training deciles")) : null,
    help("How this is measured", "Numbers: population stability index over the training deciles; below 0.1 is usual, above 0.25 is a lot. What chance alone would show with so few rows is not counted.",
      "Categories: the model knows its levels, not how frequent they were; a level it has never seen is a difference.",
      "A model fitted with the standard transform keeps a mean and a standard deviation only; the shift of the mean, in standard deviations, stands in."));
}

export function fit(report: Report): HTMLElement {
  const { model, data } = report;
  const epochs = report.history.map((one) => one.epochs);
  const refit = report.history.filter((one) => one.refit).length;
  const kinds = (type: string) => report.features.filter((one) => one.type === type).length;
  const fact = (name: string, value: string) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  const validated = report.history.some((one) => one.valid.length > 0);
  return section("fit", "The data and the fit", null,
    h("dl", { class: "facts" },
      fact("Data", `${data.name}: ${counted(data.rows, "row")}${data.used < data.rows ? `, ${data.used.toLocaleString("en-US")} of them looked at` : ""}`),
      fact("Targets", report.targets.map((one) => one.name).join(", ")),
      fact("Features", [kinds("number") && counted(kinds("number"), "number"), kinds("category") && counted(kinds("category"), "category", "categories")].filter(Boolean).join(", ")),
      fact("Trained on", counted(model.training_rows, "row")),
      fact("Model", `${counted(model.networks, "network")}, ${counted(model.parameters, "parameter")}${model.trees > 0 ? `; a forest of ${counted(model.trees, "tree")}` : ""}`),
      fact("Calibrated", model.calibrated ? "yes, on held-out rows" : "no"),
      fact("Forecasts", `${counted(report.samples, "draw")} per row, seed ${report.seed}`),
      fact("Made by", `Mirrorball ${report.version}`)),
    epochs.length > 0 ? figure("Learning curves", (validated
      ? "Scores of each network after each epoch, lower is better. The circle is the epoch that was kept: where held-out rows were predicted best, the first third aside, where scores can be lucky."
      : "Scores of each network after each epoch, lower is better. No rows were held out.") + (refit > 0 ? ` Afterwards ${refit === 1 ? "it was" : "they were"} trained again with all rows.` : ""),
      chart(`Learning curves of ${counted(epochs.length, "network")}, ${Math.min(...epochs)} to ${Math.max(...epochs)} epochs`, (width) => learningCurves(report.history, width)),
      ...(validated ? [key("accent", "held-out rows")] : []), key("grey", "training rows")) : null);
}
