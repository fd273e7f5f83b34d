import { h } from "../shared/dom";
import { counted, formatterFor, percent, plainNumber } from "../shared/format";
import { isScored, type Report, type Target } from "./data";
import { section } from "./parts";

const kWeights = { bad: "Problem", warn: "Careful", note: "Note" };
const kColours = { kept: "good", narrow: "bad", wide: "", exact: "good" };
const kPromises = { kept: "agrees with 90%", narrow: "fewer than promised", wide: "more than promised", exact: "they have no width" };

function tile(name: string, value: string, words: string, mood = ""): HTMLElement {
  return h("div", { class: `tile ${mood}` }, h("dt", {}, name), h("dd", {}, h("strong", {}, value), h("span", {}, words)));
}

const inTraining = ({ low, high, spread }: Target): string => low !== undefined && high !== undefined
  ? `which ran from ${plainNumber(low)} to ${plainNumber(high)}` : `the middle 90% of which lay within ${plainNumber(spread)}`;

/** The four numbers one asks for first. */
function tiles(report: Report, target: Target): HTMLElement | null {
  if (!isScored(target)) return null;
  const fine = formatterFor(target.spread / 10);
  const { scores } = target;
  const ninety = target.intervals.find((one) => one.level === 0.9)!;
  return h("dl", { class: "tiles" },
    tile("Typical error", fine(scores.mae), `of ${target.name}, ${inTraining(target)} in training`),
    tile(scores.skill >= 0 ? "Better than knowing nothing" : "Worse than knowing nothing", percent(Math.abs(scores.skill)),
      `whole distributions: CRPS ${fine(scores.crps)} against ${fine(target.references.quantiles.crps)}`,
      target.references.quantiles.crps === 0 ? "" : scores.skill < 0.05 ? "bad" : "good"),
    tile("In the 90% intervals", percent(ninety.coverage), `of the outcomes; ${kPromises[target.promise]}`, kColours[target.promise]),
    tile("Explained by the mean", percent(Math.max(0, scores.explained)), `of the variance (R²) over ${counted(report.data.used, "row")}`));
}

export function overview(report: Report, t: number): HTMLElement {
  const own = report.data.scored ? report.summary[t]! : report.summary[0]!;
  const warnings = report.warnings.map((one) =>
    h("li", { class: one.weight }, h("b", {}, kWeights[one.weight]), h("span", {}, one.text)));
  return section("summary", "In short", null, tiles(report, report.targets[t]!),
    h("div", { class: "verdict" }, h("p", {}, own), h("p", {}, report.summary.at(-1)!)),
    warnings.length > 0 ? h("ul", { class: "warnings", "aria-label": "Warnings" }, ...warnings)
                        : h("p", { class: "all-well" }, "Nothing to warn about."));
}
