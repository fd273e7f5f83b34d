import { h } from "../shared/dom";
import { percentChange, percentWithDecimal, plainNumber, rangeText } from "../shared/format";
import { isScored, type Calibration, type Measured, type Report, type Target } from "./data";
import { errorFormat } from "./digits";
import { section } from "./parts";

const kWeights = { bad: "Problem", warn: "Warning", note: "Note" };
const kFarOff = 0.1;
const mood = ({ verdict, largest }: Calibration): string => ({ calibrated: "good", nearly: "good", off: largest > kFarOff ? "bad" : "warn", point: "" })[verdict];

function tile(name: string, value: string, words: string, mood = ""): HTMLElement {
  return h("div", { class: `tile ${mood} ${/[a-z ]{10}/i.test(value) ? "long" : ""}` }, h("dt", {}, name), h("dd", {}, h("strong", {}, value), h("span", {}, words)));
}

/** "0.254 to 0.266". */
export const range = ([, low, high]: Measured, format: (value: number) => string): string => `${format(low)} to ${format(high)}`;

/** The verdict in a word or two. */
function verdictWord({ verdict, title }: Calibration): string {
  return { calibrated: "Good", nearly: "Nearly good", off: title, point: "Single numbers" }[verdict];
}

/** R² has no unit, and nothing is cut off at 0. */
const r2 = (value: number) => (Math.abs(value) < 10 ? value.toFixed(2) : plainNumber(value)).replace("-", "−");

const inTraining = ({ low, high, spread }: Target): string => low !== undefined && high !== undefined
  ? `training range ${rangeText(low, high)}` : `central 90% of the training values: ${plainNumber(spread)} wide`;

/** The four headline numbers, with their 95% intervals. */
function tiles(target: Target): HTMLElement | null {
  if (!isScored(target)) return null;
  const fine = errorFormat(target);
  const { scores, calibration } = target;
  const skill = percentChange(scores.skill[0]);
  const alike = (share: number) => (skill.includes(".") ? percentWithDecimal(share) : `${Math.round(100 * share)}%`.replace("-", "−"));
  return h("dl", { class: "tiles" },
    tile("Mean absolute error", fine(scores.mae[0]), `95% interval ${range(scores.mae, fine)}; ${inTraining(target)}`),
    tile("CRPS skill", skill, `95% interval ${range(scores.skill, alike)}; against the training distribution`,
      target.references[0]!.scores.crps[0] === 0 ? "" : scores.skill[0] < 0.05 ? "bad" : "good"),
    tile("Calibration", verdictWord(calibration), calibration.verdict === "point" ? "every forecast is a single number" : calibration.evidence, mood(calibration)),
    tile("R² of the mean", r2(scores.explained[0]), `95% interval ${range(scores.explained, r2)}; 1 is perfect, 0 no better than a constant`, scores.explained[0] < 0 ? "bad" : ""));
}

/** Of two models, which is better comes first; the tiles are of one of them. */
const compared = (report: Report, t: number): string | null => report.other
  ? `${report.other.targets[t]!.words.split(" (")[0]!}. The numbers below are of ${report.model.name}.` : null;

export function overview(report: Report, t: number): HTMLElement {
  const own = report.data.scored ? report.summary[t]! : report.summary[0]!;
  // The summary has this target's verdict already.
  const lead = report.targets.length > 1 ? `${report.targets[t]!.name}: ` : "";
  const more = report.warnings.filter((one) => !(one.text.startsWith(lead) && own.includes(one.text.slice(lead.length))));
  const items = more.map((one) => h("li", { class: one.weight }, h("b", {}, kWeights[one.weight]), h("span", {}, one.text)));
  return section("summary", "Summary", compared(report, t), tiles(report.targets[t]!),
    h("div", { class: "verdict" }, h("p", {}, own), h("p", {}, report.summary.at(-1)!)),
    items.length > 0 ? h("ul", { class: "warnings", "aria-label": "Warnings" }, ...items) : null,
    report.warnings.length === 0 ? h("p", { class: "all-well" }, "No warnings.") : null);
}
