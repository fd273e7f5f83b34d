import { chanceAbove } from "../shared/density";
import { breakable, h, put } from "../shared/dom";
import { percent } from "../shared/format";
import { cellText, type Forecast, type State } from "./state";

/** The row next to the pinned one: their forecasts, and where they differ. */
export function comparePanel(state: State): HTMLElement {
  const body = h("div");
  const swap = h("button", { type: "button", class: "quiet", onclick: () => {
    const { row, pinned } = state;
    state.pin(row);
    state.setRow(pinned!);
  } }, "Swap");
  const unpin = h("button", { type: "button", class: "quiet", onclick: () => state.pin(null) }, "Unpin");
  const panel = h("section", { class: "card compare-panel", "aria-labelledby": "compare-title" },
    h("header", {}, h("h2", { id: "compare-title" }, "Compare two rows"), swap, unpin), body);
  const show = () => {
    panel.hidden = !state.pinned;
    put(body, ...(state.pinned ? comparison(state) : []));
  };
  state.on(["pinned", "draws"], show);
  show();
  return panel;
}

function comparison(state: State): (Node | string)[] {
  const { forecast, pinnedForecast, pinned, row, model } = state;
  if (!forecast || !pinnedForecast || !pinned) return [h("p", { class: "soft" }, "…")];
  const parts: (Node | string)[] = [];
  const lines: HTMLElement[] = [];
  const both = [forecast, pinnedForecast];
  for (const { name } of model.targets) {
    const chance = chanceAbove(forecast.ordered(name), pinnedForecast.ordered(name));
    parts.push(h("p", {}, `${name} of this row is above the pinned one's with a probability of `,
      h("strong", {}, percent(chance)), "."));
    const line = (what: string, f: (one: Forecast, format: (value: number) => string) => string, fine: "value" | "mean" = "value") =>
      lines.push(h("tr", {}, h("th", { scope: "row" }, ...(model.targets.length > 1 ? [breakable(name), ", "] : []), what),
        ...both.map((one) => h("td", { class: "number" }, f(one, one.format(name, fine))))));
    line("median", (one, format) => format(one.quantile(name, 0.5)));
    line("90% interval", (one, format) => `${format(one.quantile(name, 0.05))} to ${format(one.quantile(name, 0.95))}`);
    line("standard deviation", (one, format) => format(one.sd(name)), "mean");
  }
  const differing = model.features.filter((feature) => row[feature.name] !== pinned[feature.name]);
  for (const feature of differing)
    lines.push(h("tr", {}, h("th", { scope: "row" }, breakable(feature.name)),
      h("td", { class: "number" }, cellText(feature, row[feature.name] ?? null)),
      h("td", { class: "number" }, cellText(feature, pinned[feature.name] ?? null))));
  const head = (swatch: string, words: string) =>
    h("th", { scope: "col", class: "number" }, h("i", { class: swatch }), words);
  parts.push(h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, h("td", {}), head("swatch", "this row"), head("swatch other", "pinned"))),
    h("tbody", {}, ...lines))));
  if (differing.length === 0) parts.push(h("p", { class: "soft small" }, "The rows are identical: change a feature, and the chart shows both forecasts."));
  return parts;
}
