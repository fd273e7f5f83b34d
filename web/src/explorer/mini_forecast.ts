import { h, put } from "../shared/dom";
import { sparkline } from "./sparkline";
import type { State } from "./state";

/** On a narrow screen the forecast is out of sight while one moves the sliders: a strip at the bottom then shows the density of
 * the first target of the view. It repeats what the forecast says, so screen readers pass over it. */
export function miniForecast(forecast: HTMLElement, state: State): HTMLElement {
  const words = h("span");
  const picture = h("div", { class: "picture" });
  const strip = h("div", { class: "mini", "aria-hidden": "true" }, words, picture);
  let away = false;
  const show = () => {
    strip.hidden = !away || !state.forecast;
    if (strip.hidden) return;
    const target = state.target();
    const ordered = state.forecast!.ordered(target.name);
    const format = state.forecast!.format(target.name);
    const at = (level: number) => state.forecast!.quantile(target.name, level);
    put(words, h("strong", {}, format(at(0.5))), ` ${format(at(0.05))} to ${format(at(0.95))}`);
    const low = Math.min(target.quantiles[1]!, ordered[0]!), high = Math.max(target.quantiles[11]!, ordered.at(-1)!);
    picture.innerHTML = sparkline(ordered, [low, high], target.limits);
  };
  state.on(["draws", "view"], show);
  new IntersectionObserver((seen) => {
    away = seen.at(-1)!.intersectionRatio < 0.4 && seen.at(-1)!.boundingClientRect.top < 0;
    show();
  }, { threshold: [0, 0.2, 0.4, 0.6] }).observe(forecast);
  return strip;
}
