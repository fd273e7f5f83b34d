import "../shared/theme.css";
import "./explorer.css";
import { breakable, h, latestOnly, put } from "../shared/dom";
import { counted } from "../shared/format";
import { themeSwitch } from "../shared/theme";
import { followAddress } from "./address";
import { AlongPanel } from "./along_panel";
import { getDraws, hasToken, inWords, Refusal, useToken, type ModelFacts, type Row } from "./api";
import { comparePanel } from "./compare_panel";
import { Connection, firstModel, tokenForm } from "./connection";
import { ForecastPanel } from "./forecast_panel";
import { miniForecast } from "./mini_forecast";
import { rowPanel } from "./row_panel";
import { shareButton } from "./share";
import { Forecast, kSamples, State } from "./state";
import { tablePanel } from "./table_panel";
import { targetSwitch } from "./target_switch";
import { WhyPanel } from "./why_panel";

/** A forecast of an earlier row is shown as such when the new one takes longer, in milliseconds. */
const kPatience = 250;
const app = document.getElementById("app")!;

function topBar(state: State): HTMLElement {
  const { model } = state;
  const facts = [counted(model.features.length, "feature"), counted(model.training_rows, "training row"), counted(model.networks, "network"),
    model.calibrated ? "calibrated" : "not calibrated"];
  return h("header", { class: "top" }, h("span", { class: "ball", "aria-hidden": "true" }),
    h("div", { class: "title" }, h("h1", {}, breakable(model.name), h("span", { class: "soft" }, " explorer")),
      h("p", { class: "soft small" }, `${model.targets.map((one) => one.name).join(", ")} · ${facts.join(" · ")}`)),
    targetSwitch(state),
    h("nav", { "aria-label": "Page" }, shareButton(state), h("a", { href: "openapi.json", class: "small" }, "API"), themeSwitch()));
}

/** Samples follow the row: one request at a time, always for the newest row. */
function followRow(state: State, panel: HTMLElement, problem: HTMLElement): void {
  let late: ReturnType<typeof setTimeout> | undefined;
  const fetchDraws = latestOnly(async (row: Row) => {
    late ??= setTimeout(() => panel.classList.add("stale"), kPatience);
    try {
      state.forecast = new Forecast(row, (await getDraws([row], kSamples))[0]!, state.model);
      put(problem);
      if (row === state.row) {
        clearTimeout(late);
        late = undefined;
        panel.classList.remove("stale");
      }
      state.tell("draws");
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 0)) put(problem, inWords(error)); // the connection has a line of its own
    }
  });
  const fetchPinned = async () => {
    const { pinned } = state;
    if (!pinned || state.pinnedForecast) return;
    const draws = await getDraws([pinned], kSamples).catch(() => null);
    if (draws === null || state.pinned !== pinned) return;
    state.pinnedForecast = new Forecast(pinned, draws[0]!, state.model);
    state.tell("pinned");
  };
  state.on("row", () => void fetchDraws(state.row));
  state.on("pinned", () => void fetchPinned());
  void fetchDraws(state.row);
  void fetchPinned();
}

function show(model: ModelFacts): void {
  document.title = `${model.name} · Mirrorball`;
  const state = new State(model);
  const problem = h("p", { class: "notice bad page-problem", role: "alert" });
  const note = h("p", { class: "notice page-problem", role: "status" });
  followAddress(state, ({ unknown }) =>
    put(note, unknown.length > 0 && `The address has cells that this model does not take, and they are left out: ${unknown.join(", ")}.`));
  const forecast = new ForecastPanel(state);
  const results = [forecast.element, new WhyPanel(state).element, new AlongPanel(state).element, comparePanel(state)];
  const mini = miniForecast(forecast.element, state);
  const connection = new Connection(model, () => [...results, mini], () => state.tell("row"));
  const skip = h("a", { class: "skip", href: "#forecast-title", onclick: (event: Event) => {
    event.preventDefault(); // the address has other things to tell
    document.getElementById("forecast-title")!.focus();
  } }, "Skip to the forecast");
  put(app, skip, topBar(state), connection.element, problem, note,
    h("main", {}, h("div", { class: "side" }, rowPanel(state), tablePanel(state)), ...results),
    mini);
  followRow(state, forecast.element, problem);
}

async function start(): Promise<void> {
  try {
    show(await firstModel((seconds) => put(app, h("p", { class: "notice bad", role: "alert" },
      `The server does not respond. Next attempt in ${seconds} s.`))));
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) {
      put(app, tokenForm(hasToken(), () => void start()));
      app.querySelector("input")!.focus();
    } else put(app, h("p", { class: "notice bad", role: "alert" }, `${inWords(error)} Reload the page to try again.`));
  }
}

useToken();
void start();
