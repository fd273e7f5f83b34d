import "../shared/theme.css";
import "./explorer.css";
import { h, latestOnly, put } from "../shared/dom";
import { counted } from "../shared/format";
import { themeSwitch } from "../shared/theme";
import { getDraws, getModel, Refusal, useToken, type ModelFacts, type Row } from "./api";
import { comparePanel } from "./compare_panel";
import { filePanel } from "./file_panel";
import { ForecastPanel } from "./forecast_panel";
import { FunctionsPanel } from "./functions_panel";
import { miniForecast } from "./mini_forecast";
import { rowPanel } from "./row_panel";
import { State } from "./state";
import { WhyPanel } from "./why_panel";

const kDraws = 1000;
const app = document.getElementById("app")!;

function topBar(model: ModelFacts): HTMLElement {
  const facts = [counted(model.features.length, "feature"), `${counted(model.training_rows, "training row")}`,
    counted(model.networks, "network"), model.calibrated ? "calibrated" : "not calibrated"];
  return h("header", { class: "top" }, h("span", { class: "ball", "aria-hidden": "true" }),
    h("div", { class: "title" }, h("h1", {}, model.name, h("span", { class: "soft" }, " explorer")),
      h("p", { class: "soft small" }, `${model.targets.map((one) => one.name).join(" and ")} · ${facts.join(" · ")}`)),
    h("nav", { "aria-label": "Page" }, h("a", { href: "openapi.json", class: "small" }, "API"), themeSwitch()));
}

/** Draws follow the row: one request at a time, always for the newest row. */
function followRow(state: State, problem: HTMLElement): void {
  const fetchDraws = latestOnly(async (row: Row) => {
    try {
      state.draws = await getDraws(row, kDraws);
      put(problem);
      state.tell("draws");
    } catch (error) {
      put(problem, `${(error as Error).message}${error instanceof Refusal && error.hint ? `; ${error.hint}` : ""}.`);
    }
  });
  state.on("row", () => void fetchDraws(state.row));
  state.on("pinned", async () => {
    const { pinned } = state;
    if (!pinned || state.pinnedDraws) return;
    const draws = await getDraws(pinned, kDraws).catch(() => null);
    if (draws === null || state.pinned !== pinned) return;
    state.pinnedDraws = draws;
    state.tell("pinned");
  });
  void fetchDraws(state.row);
}

function show(model: ModelFacts): void {
  document.title = `${model.name} · Mirrorball`;
  const state = new State(model);
  const problem = h("p", { class: "notice bad page-problem", role: "alert" });
  const forecast = new ForecastPanel(state);
  put(app, h("a", { class: "skip", href: "#forecast-title" }, "Skip to the forecast"), topBar(model), problem,
    h("main", {}, rowPanel(state),
      h("div", { class: "column" }, forecast.element, new WhyPanel(state).element),
      h("div", { class: "column" }, new FunctionsPanel(state).element, comparePanel(state), filePanel(state))),
    miniForecast(forecast.element, state));
  followRow(state, problem);
}

/** A server on an open address wants a token. */
function askForToken(): void {
  const word = h("input", { type: "password", "aria-label": "Token", autocomplete: "off" });
  const form = h("form", { class: "card token" }, h("h1", {}, "This server wants a token"),
    h("p", { class: "soft" }, "The word that was given to it with --token."), word, h("button", { class: "primary" }, "Open"));
  form.onsubmit = (event) => {
    event.preventDefault();
    useToken(word.value);
    void start();
  };
  put(app, form);
  word.focus();
}

async function start(): Promise<void> {
  try {
    show(await getModel());
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) askForToken();
    else put(app, h("p", { class: "notice bad", role: "alert" }, `${(error as Error).message}. Reload the page to try again.`));
  }
}

useToken();
void start();
