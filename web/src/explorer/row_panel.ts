import { h, newId, put } from "../shared/dom";
import { byTheDay } from "../shared/format";
import type { CategoryFeature, NumberFeature, Row } from "./api";
import { parseRow } from "./paste";
import { atLevel, cellText, levelOf, randomRow, rounded, spanOf, typicalRow, type State } from "./state";

/** The row as a form: a slider for a number, a list for a category. Sliders run through the training quantiles, so that every
 * stretch of one is about as full of data as any other. */

const kSteps = 1000;
const kManyFeatures = 12;
const kManyLevels = 200;

interface Field {
  name: string;
  element: HTMLElement;
  show(row: Row): void;
}

function numberField(state: State, feature: NumberFeature): Field {
  const { levels } = state.model;
  const id = newId("feature");
  const slider = h("input", { type: "range", min: "0", max: String(kSteps), step: "1", "aria-label": feature.name, id });
  const type = !feature.dates ? "number" : byTheDay(spanOf(feature)) ? "date" : "datetime-local";
  const unit = feature.dates ? 1000 : 1; // the browser's dates are in milliseconds
  const entry = h("input", { type, step: feature.dates ? "1" : "any", "aria-label": `${feature.name}, exact value`, placeholder: "no value" });
  const entryText = (value: number) => (feature.dates ? cellText(feature, value).replace(" ", "T") : String(value));
  const beyond = h("span", { class: "beyond" });
  const constant = !(feature.high > feature.low);
  slider.disabled = constant;
  slider.oninput = () =>
    state.setCell(feature.name, rounded(feature, atLevel(levels, feature.quantiles, slider.valueAsNumber / kSteps)));
  entry.oninput = () => {
    if (entry.value === "" && !entry.validity.badInput) state.setCell(feature.name, null);
    else if (Number.isFinite(entry.valueAsNumber) && Math.abs(entry.valueAsNumber) < 3.4e38)
      state.setCell(feature.name, entry.valueAsNumber / unit);
  };
  const element = h("div", { class: feature.dates ? "field dates" : "field" },
    h("label", { htmlFor: id, title: feature.name }, feature.name), entry, slider, beyond);
  return {
    name: feature.name, element,
    show(row) {
      const value = row[feature.name] as number | null;
      element.classList.toggle("gap", value === null);
      if (document.activeElement !== entry) entry.value = value === null ? "" : entryText(value);
      const level = value === null ? 0.5 : levelOf(levels, feature.quantiles, value);
      if (document.activeElement !== slider || value === null) slider.value = String(Math.round(level * kSteps));
      slider.style.setProperty("--filled", value === null ? "0%" : `${level * 100}%`);
      slider.setAttribute("aria-valuetext", cellText(feature, value));
      beyond.textContent = value === null ? "No value: the forecast is without it"
        : value < feature.low ? `Below everything in training (${cellText(feature, feature.low)} and more)`
        : value > feature.high ? `Above everything in training (up to ${cellText(feature, feature.high)})`
        : constant ? "The same in all training rows" : "";
    },
  };
}

function categoryField(state: State, feature: CategoryFeature): Field {
  const id = newId("feature");
  const set = (value: string) => state.setCell(feature.name, value === "" ? null : value);
  const many = feature.levels.length > kManyLevels;
  const listId = newId("levels");
  const entry = many
    ? h("input", { type: "text", id, list: listId, placeholder: "no value" })
    : h("select", { id }, h("option", { value: "" }, "no value"),
        ...feature.levels.map((level) => h("option", { value: level }, level)));
  entry.oninput = () => set(entry.value);
  const beyond = h("span", { class: "beyond" });
  const element = h("div", { class: "field category" }, h("label", { htmlFor: id, title: feature.name }, feature.name), entry,
    many && h("datalist", { id: listId }, ...feature.levels.map((level) => h("option", { value: level }))), beyond);
  return {
    name: feature.name, element,
    show(row) {
      const value = (row[feature.name] ?? "") as string;
      const known = value === "" || feature.levels.includes(value);
      if (entry instanceof HTMLSelectElement && !known && ![...entry.options].some((one) => one.value === value))
        entry.append(h("option", { value }, value));
      if (document.activeElement !== entry || entry instanceof HTMLSelectElement) entry.value = value;
      beyond.textContent = known ? "" : "Not among the levels of training";
    },
  };
}

function pasteDialog(state: State): HTMLDialogElement {
  const text = h("textarea", { rows: 7, spellcheck: false, "aria-label": "Row",
    placeholder: 'a,b,color\n1.5,0.2,red\n\nor  {"a": 1.5, "color": "red"}\nor  1.5,0.2,red  in the order of the features' });
  const problem = h("p", { class: "notice bad", role: "alert" });
  const dialog = h("dialog", { "aria-labelledby": "paste-title" },
    h("h2", { id: "paste-title" }, "Paste a row"),
    h("p", { class: "soft small" }, "JSON, a header line and a line of values, or the values alone. Commas, semicolons and tabs will do."),
    text, problem,
    h("div", { class: "buttons" },
      h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      h("button", { type: "button", class: "primary", onclick: () => {
        try {
          state.setRow(parseRow(text.value, state.model, state.row));
          dialog.close();
        } catch (error) {
          put(problem, (error as Error).message);
        }
      } }, "Use it")));
  dialog.addEventListener("close", () => put(problem));
  return dialog;
}

export function rowPanel(state: State): HTMLElement {
  const fields = state.model.features.map((feature) =>
    feature.type === "number" ? numberField(state, feature) : categoryField(state, feature));
  const list = h("div", { class: "fields" }, ...fields.map((field) => field.element));
  const dialog = pasteDialog(state);
  const search = h("input", { type: "text", placeholder: `Find among ${fields.length} features`, "aria-label": "Find a feature",
    class: "search" });
  search.oninput = () => {
    const wanted = search.value.trim().toLowerCase();
    for (const field of fields) field.element.hidden = !field.name.toLowerCase().includes(wanted);
  };
  state.on("row", () => fields.forEach((field) => field.show(state.row)));
  fields.forEach((field) => field.show(state.row));
  const pin = h("button", { type: "button", onclick: () => state.pin(state.row) }, "Pin to compare");
  state.on("pinned", () => put(pin, state.pinned ? "Pin this instead" : "Pin to compare"));
  return h("section", { class: "card row-panel", "aria-labelledby": "row-title" },
    h("header", {}, h("h2", { id: "row-title" }, "The row"), pin),
    h("div", { class: "buttons row-buttons" },
      h("button", { type: "button", class: "quiet", onclick: () => state.setRow(typicalRow(state.model.features)) }, "Typical"),
      h("button", { type: "button", class: "quiet", onclick: () => state.setRow(randomRow(state.model)) }, "Random"),
      h("button", { type: "button", class: "quiet", onclick: () => dialog.showModal() }, "Paste…")),
    fields.length > kManyFeatures && search, list, dialog);
}
