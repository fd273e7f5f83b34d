import { h } from "./dom";

/** Light, dark, or as the system has it. Colours themselves are in theme.css. */
type Theme = "auto" | "light" | "dark";
const kKey = "mirrorball-theme";
const kNames: Record<Theme, string> = { auto: "◐ Auto", light: "☀ Light", dark: "☾ Dark" };

function stored(): Theme {
  try {
    const value = localStorage.getItem(kKey);
    return value === "light" || value === "dark" ? value : "auto";
  } catch {
    return "auto";
  }
}

function apply(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** A choice of three. */
export function themeSwitch(): HTMLElement {
  apply(stored());
  const select = h("select", { "aria-label": "Colours", class: "quiet" },
    ...(Object.keys(kNames) as Theme[]).map((name) =>
      h("option", { value: name, selected: name === stored() }, kNames[name])));
  select.onchange = () => {
    try {
      localStorage.setItem(kKey, select.value);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    apply(select.value as Theme);
  };
  return select;
}

/** A colour of theme.css for a drawing; it follows the theme by itself. */
export const color = (name: string): string => `var(--${name})`;
