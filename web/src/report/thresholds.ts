import { h, put } from "../shared/dom";
import { counted, formatterFor, percent, percentChange, plainNumber, trimmed } from "../shared/format";
import { whole } from "./axes";
import { costChart, costsOf, reliabilityGroups, reliabilityWords, thresholdChart } from "./threshold_charts";
import type { Scored } from "./data";
import { valueFormat } from "./digits";
import { chart, figure, help, key, section } from "./parts";

/** What acting by the forecast gains or loses against the better of always and never acting. */
export const againstLazy = (change: number, better: "always" | "never"): string =>
  Math.abs(change) < 0.0005 ? `as much as ${better} acting`
    : change < 0 ? `${percentChange(-change)} less than the better of always and never acting` : `${percentChange(change)} more than ${better} acting`;

/** Decisions by the probability of more than a threshold: whether it comes true, and what acting on it costs. */
export function thresholds(target: Scored): HTMLElement | null {
  const all = target.thresholds;
  if (all.length < 2) return null;
  const digits = valueFormat(target), format = (value: number) => trimmed(digits(value));
  let at = Math.floor(all.length * 0.8), ratio = 3;
  const words = h("p", { class: "lede", "aria-live": "polite" });
  const place = h("div", { class: "pair" });
  const slider = (label: string, id: string, most: number, value: number, text: () => string, changed: (v: number) => void) => {
    const out = h("output", {}, text());
    const input = h("input", { type: "range", id, min: "0", max: String(most), value: String(value), step: "1" });
    const fill = () => input.style.setProperty("--filled", `${(100 * Number(input.value)) / most}%`);
    input.oninput = () => { changed(Number(input.value)); fill(); put(out, text()); show(); };
    fill();
    return h("div", { class: "slider" }, h("label", { htmlFor: id }, label), input, out);
  };
  const kRatios = [0.1, 0.2, 0.33, 0.5, 1, 2, 3, 5, 10, 20];
  const show = () => {
    const one = all[at]!;
    const rows = one.rows.reduce((a, b) => a + b, 0), events = one.events.reduce((a, b) => a + b, 0);
    const costs = costsOf(one, ratio), best = costs.reduce((a, b) => (b.cost < a.cost ? b : a));
    const usual = costs.reduce((a, b) => (Math.abs(b.from - 1 / (1 + ratio)) < Math.abs(a.from - 1 / (1 + ratio)) ? b : a));
    const lazy = Math.min(costs[0]!.cost, costs.at(-1)!.cost);
    const cost = formatterFor(usual.cost); // both costs with the same decimals
    put(words, `${target.name} was above ${format(one.at)} in ${counted(events, "row")} of ${rows.toLocaleString("en-US")} (${percent(events / rows)}). ` +
      `If a miss costs ${plainNumber(ratio)} false alarms, acting from a probability of ${whole(usual.from)} on costs ${cost(usual.cost)} per row` +
      (lazy > 0 ? `, ${againstLazy(usual.cost / lazy - 1, costs[0]!.cost < costs.at(-1)!.cost ? "always" : "never")}` : "") +
      (best.cost < usual.cost ? `; the least in hindsight is ${cost(best.cost)}, from ${whole(best.from)} on.` : "; in hindsight no other probability costs less."));
    put(place,
      figure("Reliability", `How often outcomes were above ${format(one.at)}, by predicted probability. Larger dots are more rows. ${reliabilityWords(one)}`,
        chart(`Reliability of the probability that ${target.name} is above ${format(one.at)}`, (width) => thresholdChart(one, width)),
        { legend: [key("dot-accent", "rows with similar probabilities"), key("band", "95% band of each")], table: () => reliabilityGroups(one).map((d) => ({ threshold: one.at, ...d })) }),
      figure("Cost of acting", "Mean cost per row, by the probability from which on one acts.",
        chart(`Cost of acting from each probability on, if a miss costs ${plainNumber(ratio)} false alarms`, (width) => costChart(one, ratio, width)),
        { table: () => costs.map((d) => ({ threshold: one.at, act_from: d.from, cost: d.cost, false_alarms: d.alarms, misses: d.misses })) }));
  };
  const section_ = section("thresholds", "Above a threshold", null,
    h("div", { class: "controls sliders" },
      slider("Threshold", "threshold-at", all.length - 1, at, () => `${target.name} > ${format(all[at]!.at)}`, (v) => { at = v; }),
      slider("Cost of a miss", "threshold-cost", kRatios.length - 1, kRatios.indexOf(ratio), () => `${plainNumber(ratio)} × a false alarm`, (v) => { ratio = kRatios[v]!; })),
    words, place,
    help("Method", "Thresholds are quantiles of the training rows, as round numbers. The probability of a row is the share of its samples above the threshold. A calibrated forecast costs least when one acts from the probability 1 / (1 + cost of a miss) on."));
  show();
  return section_;
}
