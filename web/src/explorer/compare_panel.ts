import { chanceAbove, quantile, sorted, standardDeviation } from "../shared/density";
import { h, put } from "../shared/dom";
import { percent } from "../shared/format";
import { cellText, targetFormat, type State } from "./state";

/** The row next to the pinned one: their forecasts, and where they differ. */
export function comparePanel(state: State): HTMLElement {
  const body = h("div");
  const swap = h("button", { type: "button", class: "quiet", onclick: () => {
    const { row, pinned } = state;
    state.pin(row);
    state.setRow(pinned!);
  } }, "Swap");
  const unpin = h("button", { type: "button", class: "quiet", onclick: () => state.pin(null) }, "Unpin");
  const show = () => {
    swap.hidden = unpin.hidden = !state.pinned;
    put(body, ...(state.pinned ? comparison(state) : [h("p", { class: "soft" },
      "Pin a row, then change it: both forecasts stand in one drawing, and here is how they differ.")]));
  };
  state.on("pinned", show);
  state.on("draws", show);
  show();
  return h("section", { class: "card compare-panel", "aria-labelledby": "compare-title" },
    h("header", {}, h("h2", { id: "compare-title" }, "Compare two rows"), swap, unpin), body);
}

function comparison(state: State): (Node | string)[] {
  const { draws, pinnedDraws, pinned, row, model } = state;
  if (!draws || !pinnedDraws || !pinned) return [h("p", { class: "soft" }, "…")];
  const parts: (Node | string)[] = [];
  const lines: HTMLElement[] = [];
  for (const target of model.targets) {
    const format = targetFormat(target);
    const both = [sorted(draws[target.name]!), sorted(pinnedDraws[target.name]!)];
    const chance = chanceAbove(both[0]!, both[1]!);
    parts.push(h("p", {}, `${target.name} of this row is above the pinned one's with a probability of `,
      h("strong", {}, percent(chance)), "."));
    const line = (what: string, f: (ordered: Float64Array) => string) =>
      lines.push(h("tr", {}, h("th", { scope: "row" }, model.targets.length > 1 ? `${target.name}, ${what}` : what),
        ...both.map((ordered) => h("td", { class: "number" }, f(ordered)))));
    line("median", (ordered) => format(quantile(ordered, 0.5)));
    line("90% interval", (ordered) => `${format(quantile(ordered, 0.05))} to ${format(quantile(ordered, 0.95))}`);
    line("standard deviation", (ordered) => format(standardDeviation(ordered)));
  }
  const differing = model.features.filter((feature) => row[feature.name] !== pinned[feature.name]);
  for (const feature of differing)
    lines.push(h("tr", {}, h("th", { scope: "row" }, feature.name),
      h("td", { class: "number" }, cellText(feature, row[feature.name] ?? null)),
      h("td", { class: "number" }, cellText(feature, pinned[feature.name] ?? null))));
  const head = (swatch: string, words: string) =>
    h("th", { scope: "col", class: "number" }, h("i", { class: swatch }), words);
  parts.push(h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, h("td", {}), head("swatch", "this row"), head("swatch other", "pinned"))),
    h("tbody", {}, ...lines))));
  if (differing.length === 0) parts.push(h("p", { class: "soft small" }, "The rows are equal so far: change a feature."));
  return parts;
}
