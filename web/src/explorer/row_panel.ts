import { breakable, h, newId, put } from "../shared/dom";
import { byTheDay, counted } from "../shared/format";
import { getRow, inWords, type CategoryFeature, type NumberFeature, type Row } from "./api";
import { parseRow } from "./paste";
import { atLevel, cellText, levelOf, randomRow, rounded, spanOf, typicalRow, type State } from "./state";

/** The row as a form: a slider for a number, a list for a category. Sliders run through the training quantiles, so that every
 * stretch of one is about as full of data as any other. */

const kSteps = 1000;
const kManyFeatures = 10;
const kMostDigits = 16;
const kManyCategories = 200;

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
  const entry = h("input", { type, step: feature.dates ? "1" : "any", "aria-label": `${feature.name}, exact value`, placeholder: "missing" });
  const entryText = (value: number) => (feature.dates ? cellText(feature, value).replace(" ", "T") : String(value));
  // The box has room for the longest number of the training range; dates have a width of their own.
  const digits = Math.max(...[feature.low, feature.high, ...feature.quantiles].map((value) => String(rounded(feature, value)).length));
  const beyond = h("span", { class: "beyond" });
  const constant = !(feature.high > feature.low);
  // A value as it is written may lie beyond an end by what was rounded.
  const [lowest, highest] = [Math.min(feature.low, rounded(feature, feature.low)), Math.max(feature.high, rounded(feature, feature.high))];
  slider.disabled = constant;
  slider.oninput = () =>
    state.setCell(feature.name, rounded(feature, atLevel(levels, feature.quantiles, slider.valueAsNumber / kSteps)));
  entry.oninput = () => {
    if (entry.value === "" && !entry.validity.badInput) state.setCell(feature.name, null);
    else if (Number.isFinite(entry.valueAsNumber) && Math.abs(entry.valueAsNumber) < 3.4e38)
      state.setCell(feature.name, entry.valueAsNumber / unit);
  };
  const element = h("div", { class: feature.dates ? "field dates" : "field", style: `--digits: ${Math.min(digits, kMostDigits)}` },
    h("label", { htmlFor: id }, breakable(feature.name)), entry, slider, beyond);
  return {
    name: feature.name, element,
    show(row) {
      const value = row[feature.name] as number | null;
      element.classList.toggle("missing", value === null);
      if (document.activeElement !== entry) entry.value = value === null ? "" : entryText(value);
      const level = value === null ? 0.5 : levelOf(levels, feature.quantiles, value);
      if (document.activeElement !== slider || value === null) slider.value = String(Math.round(level * kSteps));
      slider.style.setProperty("--filled", value === null ? "0%" : `${level * 100}%`);
      slider.setAttribute("aria-valuetext", cellText(feature, value));
      beyond.textContent = value === null ? "Missing value"
        : value < lowest ? `Below the training range (minimum ${cellText(feature, feature.low)})`
        : value > highest ? `Above the training range (maximum ${cellText(feature, feature.high)})`
        : constant ? "The same in all training rows" : "";
    },
  };
}

function categoryField(state: State, feature: CategoryFeature): Field {
  const id = newId("feature");
  const set = (value: string) => state.setCell(feature.name, value === "" ? null : value);
  const many = feature.categories.length > kManyCategories;
  const listId = newId("categories");
  const entry = many
    ? h("input", { type: "text", id, list: listId, placeholder: "missing" })
    : h("select", { id }, h("option", { value: "" }, "missing"),
        ...feature.categories.map((category) => h("option", { value: category }, category)));
  entry.oninput = () => set(entry.value);
  const beyond = h("span", { class: "beyond" });
  const element = h("div", { class: "field category" }, h("label", { htmlFor: id }, breakable(feature.name)), entry,
    many && h("datalist", { id: listId }, ...feature.categories.map((category) => h("option", { value: category }))), beyond);
  return {
    name: feature.name, element,
    show(row) {
      const value = (row[feature.name] ?? "") as string;
      const known = value === "" || feature.categories.includes(value);
      if (entry instanceof HTMLSelectElement && !known && ![...entry.options].some((one) => one.value === value))
        entry.append(h("option", { value }, value));
      if (document.activeElement !== entry || entry instanceof HTMLSelectElement) entry.value = value;
      beyond.textContent = known ? "" : "This category is new or was rare in training";
    },
  };
}

function pasteDialog(state: State): HTMLDialogElement {
  const text = h("textarea", { rows: 7, spellcheck: false, "aria-label": "Row",
    placeholder: 'a,b,color\n1.5,0.2,red\n\nor  {"a": 1.5, "color": "red"}\nor  1.5,0.2,red  in the order of the features' });
  const problem = h("p", { class: "notice bad", role: "alert" });
  const dialog = h("dialog", { "aria-labelledby": "paste-title" },
    h("h2", { id: "paste-title" }, "Paste a row"),
    h("p", { class: "soft small" }, "JSON, a header line and a line of values, or the values alone. Separated by commas, semicolons or tabs. " +
      "Where a target is given too, the outcome is shown."),
    text, problem,
    h("div", { class: "buttons" },
      h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      h("button", { type: "button", class: "primary", onclick: () => {
        try {
          const { row, outcome } = parseRow(text.value, state.model, state.row);
          state.setRow(row, outcome, "a pasted row");
          dialog.close();
        } catch (error) {
          put(problem, (error as Error).message);
        }
      } }, "Use this row")));
  dialog.addEventListener("close", () => put(problem));
  return dialog;
}

export function rowPanel(state: State): HTMLElement {
  // Of many features, those that move the forecast most come first.
  const { features } = state.model;
  const effect = (one: (typeof features)[number]) => one.effects?.[0] ?? 0;
  const order = features.length > kManyFeatures ? [...features].sort((a, b) => effect(b) - effect(a)) : features;
  const fields = order.map((feature) =>
    feature.type === "number" ? numberField(state, feature) : categoryField(state, feature));
  const list = h("div", { class: "fields", ...(fields.length > kManyFeatures ? { tabIndex: 0, role: "group", "aria-label": "Features" } : {}) }, ...fields.map((field) => field.element));
  const dialog = pasteDialog(state);
  const search = h("input", { type: "text", placeholder: `Find among ${fields.length} features`, "aria-label": "Find a feature",
    class: "search" });
  search.oninput = () => {
    const wanted = search.value.trim().toLowerCase();
    for (const field of fields) field.element.hidden = !field.name.toLowerCase().includes(wanted);
  };
  const source = h("p", { class: "soft small source" });
  const show = () => {
    fields.forEach((field) => field.show(state.row));
    put(source, state.source && `This is ${state.source}.`);
  };
  state.on("row", show);
  show();
  const pin = h("button", { type: "button", class: "quiet", onclick: () => state.pin(state.row) }, "Pin to compare");
  const showPin = () => put(pin, state.pinned ? "Pin this instead" : "Pin to compare");
  state.on("pinned", showPin);
  showPin();
  return h("section", { class: fields.length > kManyFeatures ? "card row-panel many" : "card row-panel", "aria-labelledby": "row-title" },
    h("header", {}, h("h2", { id: "row-title" }, "Row"), pin),
    h("div", { class: "buttons row-buttons" },
      h("button", { type: "button", class: "quiet", onclick: () => state.setRow(typicalRow(state.model.features), null, "") }, "Typical"),
      randomButton(state, source),
      h("button", { type: "button", class: "quiet", onclick: () => dialog.showModal() }, "Paste…")),
    source, fields.length > kManyFeatures && search, list, dialog);
}

/** A row of the background table with its outcome; without a table, values that need not go together, which the button says. */
function randomButton(state: State, source: HTMLElement): HTMLElement {
  const { background_rows: rows } = state.model;
  if (rows === 0)
    return h("button", { type: "button", class: "quiet", title: "Each feature takes a training value by itself. Start the server with --background for real rows.",
      onclick: () => state.setRow(randomRow(state.model), null, "no real row: each feature takes a training value by itself") }, "Random values");
  return h("button", { type: "button", class: "quiet", title: `One of ${counted(rows, "background row")}`, onclick: async () => {
    try {
      const { number, row, outcome } = await getRow(Math.floor(Math.random() * rows));
      const observed = Object.entries(outcome).filter((one): one is [string, number] => typeof one[1] === "number");
      state.setRow(row, Object.fromEntries(observed), `row ${number} of the background table`);
    } catch (error) {
      put(source, inWords(error));
    }
  } }, "Random row");
}
