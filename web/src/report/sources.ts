import { h } from "../shared/dom";
import { counted, decimalsFor, grouped, percent, plainNumber } from "../shared/format";
import { saveMenu } from "../shared/save";
import { beeswarm, driftBars, importanceBars, learningCurves } from "./driver_charts";
import { rowCells, type Drift, type Effect, type Parts, type Report, type Target } from "./data";
import { errorFormat } from "./digits";
import { breakable, chart, figure, help, key, section, tableOf } from "./parts";

const kShownBars = 12;

/** A size and twice its error, both to two digits of the latter: "0.83", "0.12". `largest` is that of the table, whose numbers all have
 * as many decimals: those that show three digits of it. */
export function withError(size: number, error: number, largest: number): [string, string] {
  const decimals = decimalsFor(largest), power = error > 0 ? Math.floor(Math.log10(2 * error)) - 1 : -decimals, step = 10 ** Math.max(power, -decimals);
  const text = decimals > 6 ? plainNumber : (value: number) => grouped(step * Math.round(value / step), decimals, largest);
  return [text(size), error > 0 ? text(2 * error) : ""];
}

/** Sizes with whiskers of two standard errors; what could be 0 is pale. */
function bars(report: Report, effects: Effect[]): HTMLElement {
  const order = effects.map((_, i) => i).sort((a, b) => effects[b]!.size - effects[a]!.size);
  const largest = Math.max(...effects.map((one) => one.size + 2 * (one.error ?? 0))) || 1;
  const share = (value: number) => `${(100 * Math.max(0, value)) / largest}%`;
  const line = (i: number) => {
    const { size, direction, error = 0 } = effects[i]!;
    const [number, plusMinus] = withError(size, error, largest);
    const way = Math.abs(direction) < 0.35 || size < 0.02 * effects[order[0]!]!.size ? "" : direction > 0 ? "↑ higher raises it" : "↓ higher lowers it";
    const whisker = error > 0 && h("b", { style: `left: ${share(size - 2 * error)}; width: calc(${share(size + 2 * error)} - ${share(size - 2 * error)})` });
    return h("tr", { class: error > 0 && size < 2 * error ? "unsure" : "" }, h("th", { scope: "row" }, breakable(report.features[i]!.name)),
      h("td", { class: "bar-cell" }, h("span", { class: "bar-track", "aria-hidden": "true" }, h("i", { style: `width: ${share(size)}` }), whisker),
        h("span", { class: "soft small" }, way)),
      h("td", { class: "number" }, number, plusMinus && h("small", { class: "soft" }, ` ± ${plusMinus}`)));
  };
  const table = (lines: number[]) => h("table", { class: "bars" },
    h("thead", { class: "visually-hidden" }, h("tr", {}, ...["Feature", "Direction", "Mean size"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, ...lines.map(line)));
  return h("div", {}, table(order.slice(0, kShownBars)),
    order.length > kShownBars && h("details", { class: "help" }, h("summary", {}, `${order.length - kShownBars} more`), table(order.slice(kShownBars))));
}

/** Importance as bars, and each explained row as a dot. */
function effect(report: Report, target: Target, kind: "mean" | "spread", title: string, caption: string): HTMLElement {
  const drivers = target.drivers!, effects = drivers[kind];
  const unit = errorFormat(target);
  const order = effects.map((_, i) => i).sort((a, b) => effects[b]!.size - effects[a]!.size).slice(0, kShownBars);
  const swarm = drivers.rows;
  const table = () => effects.map((one, i) => ({ feature: report.features[i]!.name, mean_absolute_effect: one.size, standard_error: one.error, direction: one.direction }));
  return h("div", {}, h("div", { class: "figure-head" }, h("h3", {}, title), saveMenu(title, () => importanceBars(report, effects, order, kind) as SVGSVGElement, table)), h("p", { class: "caption" }, caption), bars(report, effects),
    swarm ? figure(`${title}, row by row`, "Each dot is a row; how far it lies from 0 is what the feature adds or takes away there.",
      chart(`Effects of ${order.length} features on single rows`, (width) => beeswarm(report, swarm, swarm[kind], order, unit, width), { least: 40 * order.length + 44 }),
      { legend: [key("dot-other", "high value of the feature"), key("dot-accent", "low value"), order.some((f) => report.features[f]!.type === "category") && key("dot", "category")],
        table: () => order.flatMap((f) => swarm[kind][f]!.map((value, i) => ({ ...rowCells(report, swarm.row[i]!), feature: report.features[f]!.name, effect: value, rank: swarm.rank[f]![i] }))) }) : null);
}

export function drivers(report: Report, t: number): HTMLElement | null {
  const target = report.targets[t]!;
  if (!target.drivers) return null;
  const { rows, background, sets, exact } = report.drivers;
  const top = (effects: Effect[]) => report.features[effects.map((_, i) => i).sort((a, b) => effects[b]!.size - effects[a]!.size)[0]!]!.name;
  const [first, second] = [top(target.drivers.mean), top(target.drivers.spread)];
  const moved = [...target.drivers.mean, ...target.drivers.spread].some((effect) => effect.size > 0);
  return section("drivers", "What drives the forecasts", !moved
    ? `No feature affects the forecast of ${target.name} on these rows.`
    : first === second
    ? `${first} has the largest effect on the forecast of ${target.name}, on its mean and on its spread.`
    : `${first} has the largest effect on the mean of ${target.name}, ${second} on its spread.`,
    h("div", { class: "pair drivers" },
      effect(report, target, "mean", "The mean", "Mean absolute effect on the mean forecast."),
      effect(report, target, "spread", "The spread", "Mean absolute effect on its standard deviation.")),
    help("Method", `Mean absolute Shapley values over ${counted(rows, "row")} against ${counted(background, "other row")}, ` +
      (exact ? "over all sets of features." : `over ${sets.toLocaleString("en-US")} sampled sets of features: estimates.`) +
      " Whiskers are two standard errors; a bar that could be 0 is pale. They describe what the model uses, not causal effects."));
}

/** How frequent categories were in training is not known: only new ones are seen. */
const verdictOf = (one: Drift): string => one.verdict !== "same" || one.categories === undefined ? kVerdicts[one.verdict] : one.unseen_rows ? "hardly any new categories" : "no new categories";

function allAsInTraining(all: Drift[]): string {
  const categories = all.filter((one) => one.categories !== undefined), numbers = all.length - categories.length;
  const fresh = categories.some((one) => one.unseen_rows) ? "hardly any new categories" : "no new categories";
  const said = numbers > 0 && `${numbers === 1 ? "is" : "are"} distributed as in training`;
  if (categories.length === 0) return `${numbers === 1 ? "The feature" : `All ${numbers} features`} ${said}.`;
  if (!said) return `The ${all.length === 1 ? "feature has" : "features have"} ${fresh}.`;
  return `${numbers === 1 ? "The numeric feature" : `All ${numbers} numeric features`} ${said}; ${counted(categories.length, "categorical feature has", "categorical features have")} ${fresh}.`;
}

const kVerdicts = { same: "as in training", some: "somewhat different", large: "very different" };
const kMostDrift = 15, kLeastDrift = 8;

export function drift(report: Report): HTMLElement {
  const rank = { large: 0, some: 1, same: 2 };
  const order = [...report.drift].sort((a, b) => rank[a.verdict] - rank[b.verdict] || (b.psi ?? 0) - (a.psi ?? 0));
  const differ = order.filter((one) => one.verdict !== "same");
  const shown = Math.min(kMostDrift, Math.max(kLeastDrift, differ.length)); // what is as in training is no news
  const size = (one: Drift) => one.psi !== undefined ? h("span", { class: "psi" }, one.psi < 0.001 ? "<0.001" : one.psi.toFixed(3)) : one.shift !== undefined ? `mean shifted by ${one.shift.toFixed(2)} sd` : "–";
  const picture = (one: Drift) => {
    if (!one.expected || !one.actual) return "";
    const image = h("span", { class: "spark", role: "img", "aria-label": `shares of rows over the training deciles: ${one.actual.map((share) => percent(share)).join(", ")}` });
    image.append(driftBars(one.expected, one.actual));
    return image;
  };
  const details = (one: Drift) => one.words || (one.unseen?.length ? one.unseen.join(", ") :
    one.categories !== undefined ? `${one.met} of ${counted(one.categories, "training category", "training categories")} present` : one.missing > 0 ? `${counted(one.missing, "missing value")}` : "");
  const table = (lines: Drift[], name: string) => tableOf(name, ["Feature", "Compared with training", "Distribution", "Stability index (PSI)", "Details"], lines.map((one) => ({ cells:
    [breakable(one.name), h("span", { class: `verdict-${one.verdict}` }, verdictOf(one)), picture(one), size(one), details(one)] })), 9);
  const said = differ.length === 0 ? allAsInTraining(report.drift)
    : `${differ.length} of ${counted(report.drift.length, "feature")} ${differ.length === 1 ? "differs" : "differ"} from the training rows.`;
  return section("drift", "Drift: comparison with the training data", `${said} Scores can change where new data differs from the training rows.`,
    table(order.slice(0, shown), "Drift of the features"),
    order.length > shown ? h("details", { class: "help" }, h("summary", {}, `${order.length - shown} more`), table(order.slice(shown), "Drift of the other features")) : null,
    report.drift.some((one) => one.expected) ? h("div", { class: "legend" }, key("block", "rows of this data"), key("tick", "training rows, over the training deciles")) : null,
    help("Method", "Numeric features: population stability index over the training deciles; below 0.1 is usual, above 0.25 is large. Differences within sampling error are not counted.",
      "Categorical features: the model file stores the categories, not their frequencies; categories that are new or were rare in training count as a difference from 1% of the rows on.",
      "With the standard transform, the model file stores mean and standard deviation only; the shift of the mean in standard deviations is shown instead."));
}

/** The share of a part in each target: "10%", "10% to 25%", nothing where it has none. */
export function shareText(shares: number[]): string {
  const least = percent(Math.min(...shares)), most = percent(Math.max(...shares));
  return !shares.some((one) => one > 0) ? "" : least === most ? least : `${least} to ${most}`;
}

export function fit(report: Report): HTMLElement {
  const { model, data } = report;
  const epochs = report.history.map((one) => one.epochs);
  const refit = report.history.filter((one) => one.refit).length;
  const kinds = (type: string) => report.features.filter((one) => one.type === type).length;
  const share = (part: keyof Parts) => shareText(model.parts.map((one) => one[part]));
  const dates = report.features.filter((one) => one.dates).length, numbers = kinds("number") - dates;
  const fact = (name: string, value: string) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  const beside = [share("forest") && `${share("forest")} from a forest of ${counted(model.trees, "tree")}`, share("process") && `${share("process")} from a Gaussian process`,
    share("neighbours") && `${share("neighbours")} from neighbours`].filter((one): one is string => !!one);
  const boosted = share("boosted");
  const validated = report.history.some((one) => one.valid.length > 0);
  return section("fit", "Data and fit", null,
    h("dl", { class: "facts" },
      fact("Data", `${data.name}: ${counted(data.rows, "row")}${data.used < data.rows ? `, ${data.used.toLocaleString("en-US")} of them used` : ""}`),
      fact("Targets", report.targets.map((one) => one.name).join(", ")),
      fact("Features", [numbers > 0 && counted(numbers, "number"), dates > 0 && counted(dates, "date"), kinds("category") && counted(kinds("category"), "category", "categories")].filter(Boolean).join(", ")),
      fact("Trained on", counted(model.training_rows, "row")),
      fact("Model", `${counted(model.networks, "network")}, ${counted(model.parameters, "parameter")}`),
      beside.length > 0 ? fact("Other samples", beside.join(", ")) : null,
      boosted ? fact("Boosted trees", `samples moved ${boosted} towards their mean`) : null,
      fact("Calibrated", model.calibrated ? "yes, on held-out rows" : "no"),
      fact("Forecasts", `${counted(report.samples, "sample")} per row, seed ${report.seed}`),
      fact("Made by", `Mirrorball ${report.version}`)),
    epochs.length > 0 ? figure("Learning curves", (validated
      ? "Score of each network after each epoch; lower is better. The circle marks the epoch that was kept: the best score on the validation rows after the first third of the planned epochs."
      : "Score of each network after each epoch; lower is better. There were no validation rows.") + (refit > 0 ? ` Afterwards ${refit === 1 ? "it was" : "they were"} refit on all rows.` : ""),
      chart(`Learning curves of ${counted(epochs.length, "network")}, ${Math.min(...epochs)} to ${Math.max(...epochs)} epochs`, (width) => learningCurves(report.history, width)),
      { wide: true, legend: [validated && key("accent", "validation rows"), key("grey", "training rows")],
        table: () => report.history.flatMap((network, i) => network.train.map((train, j) => ({ network: i + 1, epoch: j * network.step + 1, training: train, validation: network.valid[j] }))) }) : null);
}
