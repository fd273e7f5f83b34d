import { density, quantile, sorted } from "../shared/density";
import { h, put } from "../shared/dom";
import { targetFormat, type State } from "./state";

/** On a narrow screen the forecast is out of sight while one moves the sliders: a strip at the bottom then shows the density of
 * the first target of the view. It repeats what the forecast says, so screen readers pass over it. */
export function miniForecast(forecast: HTMLElement, state: State): HTMLElement {
  const words = h("span");
  const picture = h("div", { class: "picture" });
  const strip = h("div", { class: "mini", "aria-hidden": "true" }, words, picture);
  let away = false;
  const show = () => {
    strip.hidden = !away || !state.draws;
    if (strip.hidden) return;
    const target = state.target(0);
    const ordered = sorted(state.draws![target.name]!);
    const format = targetFormat(target);
    put(words, h("strong", {}, format(quantile(ordered, 0.5))),
      ` ${format(quantile(ordered, 0.05))} to ${format(quantile(ordered, 0.95))}`);
    const low = Math.min(target.quantiles[1]!, ordered[0]!), high = Math.max(target.quantiles[11]!, ordered.at(-1)!);
    const { y } = density(ordered, low, high, 120);
    const top = Math.max(...y);
    const points = Array.from(y, (value, i) => `${i},${(30 - (29 * value) / top).toFixed(1)}`).join("L");
    picture.innerHTML = `<svg viewBox="0 0 119 30" preserveAspectRatio="none"><path d="M${points}L119,30H0Z" /></svg>`;
  };
  state.on("draws", show);
  new IntersectionObserver((seen) => {
    away = seen.at(-1)!.intersectionRatio < 0.4 && seen.at(-1)!.boundingClientRect.top < 0;
    show();
  }, { threshold: [0, 0.2, 0.4, 0.6] }).observe(forecast);
  return strip;
}
