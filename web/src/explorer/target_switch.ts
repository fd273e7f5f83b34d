import { breakable, h } from "../shared/dom";
import type { State, View } from "./state";

/** Which target the whole page is about: one button for each, and one for the plane of two; a list where there are many. */
export function targetSwitch(state: State): HTMLElement | null {
  const { targets } = state.model;
  if (targets.length === 1) return null;
  const views: (View & { name: string })[] = targets.map((target, i) => ({ name: target.name, targets: [i] }));
  for (let a = 0; a < targets.length; ++a)
    for (let b = a + 1; b < targets.length; ++b) views.push({ name: `${targets[a]!.name} × ${targets[b]!.name}`, targets: [a, b] });
  const now = () => views.findIndex((view) => view.targets.join() === state.view.targets.join());
  if (views.length > 4) {
    const select = h("select", { "aria-label": "Targets shown" }, ...views.map((view, i) => h("option", { value: String(i) }, view.name)));
    select.onchange = () => state.setView({ targets: views[Number(select.value)]!.targets });
    state.on("view", () => void (select.value = String(now())));
    return select;
  }
  const buttons = views.map((view) => h("button", { type: "button", onclick: () => state.setView({ targets: view.targets }) }, breakable(view.name)));
  const show = () => buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === now())));
  state.on("view", show);
  show();
  return h("div", { class: "segments", role: "group", "aria-label": "Targets shown" }, ...buttons);
}
