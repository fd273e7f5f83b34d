import * as Plot from "@observablehq/plot";
import { counted, listed, percent, percentsAlike } from "../shared/format";
import { color } from "../shared/theme";
import { plot, tipAlong, yAxis } from "./axes";
import type { Parts, Report, Target, Uncertainty, UncertaintyMean } from "./data";
import { errorFormat } from "./digits";
import { chart, figure, help, key, section } from "./parts";

/** What the networks expect, and what they disagree about. */

const share = (one: UncertaintyMean) => one.epistemic / (one.aleatoric + one.epistemic || 1);

function groupsChart(groups: UncertaintyMean[], format: (value: number) => string, width: number): SVGElement {
  const rows = groups.map((one, i) => ({ ...one, group: i + 1, total: one.aleatoric + one.epistemic }));
  const inPercent = percentsAlike(groups.map(share));
  const top = Math.max(...rows.map((d) => Math.max(d.total, d.crps ?? 0))) * 1.12 || 1;
  return plot({ width, height: 300, marginLeft: 60,
    x: { type: "band", domain: rows.map((d) => d.group), padding: 0.3, label: "group of rows, from agreement to disagreement", labelAnchor: "center", labelArrow: "none", tickSize: 0 },
    y: yAxis("CRPS", [0, top]),
    marks: [
      Plot.barY(rows, { x: "group", y1: 0, y2: "aleatoric", fill: color("accent"), fillOpacity: 0.55 }),
      Plot.barY(rows, { x: "group", y1: "aleatoric", y2: "total", fill: color("other"), fillOpacity: 0.55 }),
      Plot.text(rows, { x: "group", y: (d: (typeof rows)[0]) => Math.max(d.total, d.crps ?? 0), text: (d: (typeof rows)[0]) => inPercent(share(d)), dy: -14, fill: color("ink"), fontWeight: 600 }),
      Plot.dot(rows.filter((d) => d.crps !== undefined), { x: "group", y: "crps", r: 4.5, fill: color("card"), stroke: color("ink"), strokeWidth: 2 }),
      Plot.ruleY([0], { stroke: color("strong-line") }),
      tipAlong(rows, { x: "group", y: "total", title: (d: (typeof rows)[0]) =>
        `Group ${d.group} of ${rows.length}, ${counted(d.rows, "row")}\nexpected CRPS ${format(d.total)}: aleatoric ${format(d.aleatoric)}, epistemic ${format(d.epistemic)}` +
        (d.crps === undefined ? "" : `\nactual CRPS ${format(d.crps)}`) }),
    ] });
}

/** Who can disagree, in words. */
function sources({ model }: Report): string {
  const has = (part: keyof Parts) => model.parts.some((one) => one[part] > 0);
  return listed([model.networks > 1 ? "the networks" : "the network", has("forest") && "the forest", has("process") && "the Gaussian process", has("neighbours") && "the neighbours"]);
}

export function uncertainty(report: Report, found: Uncertainty, target: Target): HTMLElement {
  const format = errorFormat(target); // as all CRPS of the page
  const { aleatoric, epistemic, groups, crps } = found, last = groups.at(-1);
  const who = sources(report);
  const words = `${percent(share(found))} of the uncertainty is epistemic: what ${who} disagree about, and more rows could reduce. The rest is aleatoric: the spread that each of them expects by itself. ` +
    `The expected CRPS is ${format(aleatoric + epistemic)}${crps === undefined ? "" : `, the actual one ${format(crps)}`}.` +
    (last ? ` Where they disagree most, the epistemic part is ${percent(share(last))}.` : "");
  return section("uncertainty", "Uncertainty", words,
    groups.length < 2 ? null : figure("Expected and actual CRPS",
      `Rows in ${groups.length} groups of equal size, by how much ${who} disagree. A bar is the CRPS that the forecasts expect; above it, the share that is epistemic.${crps === undefined ? "" : " A circle at the top of its bar means that forecasts are as uncertain as they should be."}`,
      chart(`Epistemic share from ${percent(share(groups[0]!))} in the first group to ${percent(share(last!))} in the last`, (width) => groupsChart(groups, format, width)),
      { wide: true, legend: [key("block", "aleatoric"), key("block-other", "epistemic"), crps === undefined ? null : key("circle", "actual CRPS")],
        table: () => groups.map((one, i) => ({ group: i + 1, ...one })) }),
    help("Definitions",
      "Expected CRPS: the CRPS that a forecast expects if the outcome follows it, half the mean distance of two of its samples, in the units of the target.",
      "Aleatoric: the mean of what each network expects by itself, forest, Gaussian process and neighbours (similar training rows) counted as one more each, by their share of the samples. Epistemic: the rest, which is how far the networks' distributions are from their mixture; one would save it by knowing which network is right.",
      "Networks can agree and be wrong together, above all far from the training rows: a small epistemic part is no proof of knowledge. The calibration of the forecasts scales both parts."));
}
