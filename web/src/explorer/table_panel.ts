import { quantile, sorted } from "../shared/density";
import { breakable, h, latestOnly, newId, put } from "../shared/dom";
import { counted, forecastFormat, forecastFormatOf, plainNumber } from "../shared/format";
import { getDraws, inWords, predictFile } from "./api";
import { rowFrom } from "./paste";
import { sparkline } from "./sparkline";
import { cellText, kSamples, typicalRow, usualSpread, type State } from "./state";
import { listRows, numberAt, parseFilter, parseTable, sortRows, type Listed, type Order, type TextTable } from "./table";

/** A table in: its rows with their forecasts, to sort, to filter and to open; and the predictions as a file. */

const kPage = 20;
const kForms: [form: string, name: string][] = [
  ["", "mean, sd, 5, 50 and 95% quantiles"], ["?interval=0.9", "90% interval"],
  ["?quantiles=0.01,0.05,0.1,0.25,0.5,0.75,0.9,0.95,0.99", "nine quantiles"], ["?samples=100", "100 samples"]];

export function tablePanel(state: State): HTMLElement {
  const input = h("input", { type: "file", accept: ".csv,.tsv,.txt,text/csv", class: "visually-hidden", id: "upload" });
  const status = h("div", { "aria-live": "polite", class: "file-status" });
  const body = h("div");
  const drop = h("label", { class: "drop", htmlFor: "upload" }, h("strong", {}, "Open a CSV file"), " or drop it");
  const open = async (file: File) => {
    put(status, h("p", { class: "soft" }, `Predicting ${file.name} …`));
    drop.classList.add("busy");
    try {
      const [text, predicted] = [await file.text(), await predictFile(file, "")];
      put(status);
      put(body, new OpenTable(state, file, parseTable(text), predicted).element);
      drop.classList.add("small");
      panel.closest("main")?.append(panel); // from beside the row to where it has the whole width
    } catch (error) {
      put(status, h("p", { class: "notice bad", role: "alert" }, inWords(error)));
    }
    drop.classList.remove("busy");
    input.value = "";
  };
  input.onchange = () => input.files?.[0] && void open(input.files[0]);
  drop.ondragover = (event) => {
    event.preventDefault();
    drop.classList.add("over");
  };
  drop.ondragleave = () => drop.classList.remove("over");
  drop.ondrop = (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    const file = event.dataTransfer?.files[0];
    if (file) void open(file);
  };
  const panel = h("section", { class: "card table-panel", "aria-labelledby": "table-title" },
    h("header", {}, h("h2", { id: "table-title" }, "Predict a table")), input, drop,
    h("p", { class: "soft small" }, `Matched by column name; up to ${counted(state.model.limits.csv_rows, "row")}.`), status, body);
  return panel;
}

/** One row of the header: a button that sorts, and by what. */
interface Column {
  name: string;
  order: Order;
  class?: string;
}

class OpenTable {
  readonly element = h("div", { class: "opened" });
  private rows: Listed[] = [];
  private order: Order = "number";
  private down = false;
  private page = 0;
  private readonly search: HTMLInputElement;
  private readonly found = h("p", { class: "soft small", role: "status" });
  private readonly place = h("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Rows of the table" });
  private readonly pager = h("div", { class: "buttons pager" });
  private readonly predictions: TextTable;
  /** Samples of the rows that are in sight. */
  private readonly fetchShapes = latestOnly(async (rows: Listed[]) => {
    const { model } = this.state;
    const draws = await getDraws(rows.map((one) => this.given(one).row), kSamples).catch(() => null);
    if (!draws) return;
    rows.forEach((row, i) => {
      const place = this.place.querySelector(`[data-row="${row.number}"] .spark`);
      const target = this.state.target();
      if (place) place.innerHTML = sparkline(sorted(draws[i]![target.name]!), this.domain(), model.targets[this.state.view.targets[0]!]!.limits,
        { median: row.median, outcome: Number.isNaN(row.outcome) ? undefined : row.outcome });
    });
  });

  constructor(private readonly state: State, private readonly file: File, private readonly table: TextTable, predicted: string) {
    this.predictions = parseTable(predicted);
    if (this.predictions.rows.length !== table.rows.length)
      throw new Error(`${file.name} has ${table.rows.length} rows for this page, but the server predicted ${this.predictions.rows.length}`);
    this.search = h("input", { type: "text", class: "filter", "aria-label": "Filter the rows", placeholder: `Filter: ${this.example()}` });
    this.search.oninput = () => {
      this.page = 0;
      this.show();
    };
    put(this.element, h("div", { class: "toolbar" }, this.search, this.saver(predicted)), this.found, this.place, this.pager);
    state.on("view", () => this.element.isConnected && this.renew());
    this.renew();
  }

  private example(): string {
    const number = this.state.model.features.find((one) => one.type === "number" && !one.dates);
    const category = this.state.model.features.find((one) => one.type === "category");
    return [number && `${number.name} > ${plainNumber(number.type === "number" ? number.typical : 0)}`, category?.typical ?? "width > 1"].filter(Boolean).join(" and ");
  }

  private renew(): void {
    this.rows = listRows(this.table, this.predictions, this.state.target().name);
    this.show();
  }

  /** One axis for all rows, so that they can be compared. */
  private domain(): [number, number] {
    const low = quantile(sorted(this.rows.map((one) => one.low)), 0.02);
    const high = quantile(sorted(this.rows.map((one) => one.high)), 0.98);
    const margin = 0.12 * (high - low) || 1;
    const { limits } = this.state.target();
    return [Math.max(low - margin, limits[0] ?? -Infinity), Math.min(high + margin, limits[1] ?? Infinity)];
  }

  private given(row: Listed) {
    return rowFrom(this.table.header.map((name, i) => [name, row.cells[i]]), this.state.model, typicalRow(this.state.model.features));
  }

  private columns(): Column[] {
    const features = this.state.model.features.map((one) => one.name);
    const outcome = this.table.header.includes(this.state.target().name);
    const numbers = new Set(this.state.model.features.flatMap((one) => (one.type === "number" ? [one.name] : [])));
    const cells = this.table.header.map((name, i) => ({ name, order: `cell:${i}` as Order, class: numbers.has(name) ? "number" : undefined }))
      .filter(({ name }) => !this.state.model.targets.some((target) => target.name === name))
      .sort((a, b) => Number(features.includes(b.name)) - Number(features.includes(a.name)));
    return [{ name: "row", order: "number", class: "number" }, { name: "median", order: "median", class: "number" }, { name: "90% interval", order: "width", class: "number" },
      ...(outcome ? [{ name: "outcome", order: "outcome", class: "number" }, { name: "error", order: "error", class: "number" }] as Column[] : []), ...cells];
  }

  private show(): void {
    const chosen = sortRows(this.rows.filter(parseFilter(this.search.value, this.table.header)), this.order, this.down);
    const pages = Math.max(1, Math.ceil(chosen.length / kPage));
    this.page = Math.min(this.page, pages - 1);
    const shown = chosen.slice(this.page * kPage, (this.page + 1) * kPage);
    put(this.found, chosen.length === this.rows.length ? `${this.file.name}: ${counted(this.rows.length, "row")} predicted. Open one by its number.`
      : `${counted(chosen.length, "row")} of ${this.rows.length.toLocaleString("en-US")} match.`);
    const columns = this.columns();
    const focus = this.place.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.sort : undefined;
    put(this.place, h("table", { class: "rows" }, h("thead", {}, h("tr", {}, this.head(columns[0]!), this.axisHead(), ...columns.slice(1).map((one) => this.head(one)))),
      h("tbody", {}, ...shown.map((row) => this.line(row, columns)))));
    if (focus) this.place.querySelector<HTMLElement>(`[data-sort="${focus}"]`)?.focus();
    const turn = (by: number, name: string) => h("button", { type: "button", class: "quiet", disabled: this.page + by < 0 || this.page + by >= pages, onclick: () => {
      this.page += by;
      this.show();
    } }, name);
    put(this.pager, ...(pages > 1 ? [turn(-1, "Earlier"), h("span", { class: "soft small" }, `page ${this.page + 1} of ${pages.toLocaleString("en-US")}`), turn(1, "Later")] : []));
    if (shown.length > 0) void this.fetchShapes(shown);
  }

  private head({ name, order, class: kind }: Column): HTMLElement {
    const sort = order === this.order ? (this.down ? "descending" : "ascending") : "none";
    return h("th", { scope: "col", class: kind, "aria-sort": sort }, h("button", { type: "button", class: "sort", "data-sort": order, onclick: () => {
      this.down = order === this.order ? !this.down : order !== "number" && !order.startsWith("cell");
      this.order = order;
      this.show();
    } }, breakable(name), sort === "none" ? "" : this.down ? " ↓" : " ↑"));
  }

  private axisHead(): HTMLElement {
    const format = forecastFormat(Float64Array.from(this.domain()), "value", this.state.target().decimals);
    return h("th", { scope: "col", class: "spark-head" }, h("span", {}, breakable(this.state.target().name)),
      h("span", { class: "ends" }, ...this.domain().map((end) => h("span", {}, format(end)))));
  }

  private line(row: Listed, columns: Column[]): HTMLElement {
    const { decimals } = this.state.target(), spread = usualSpread(this.state.target());
    const format = forecastFormatOf(row, "value", decimals, spread), fact = forecastFormatOf(row, "fact", decimals, spread);
    const inside = row.outcome >= row.low && row.outcome <= row.high;
    const text = (order: Order): string => order === "median" ? format(row.median) : order === "width" ? `${format(row.low)} to ${format(row.high)}`
      : order === "outcome" ? fact(row.outcome) : order === "error" ? fact(Math.abs(row.outcome - row.median)) : this.cell(row, Number(order.slice(5)));
    const open = h("button", { type: "button", class: "open", "aria-label": `Open row ${row.number}`, onclick: () => this.open(row) }, String(row.number));
    return h("tr", { "data-row": String(row.number) }, h("th", { scope: "row", class: "number" }, open), h("td", { class: "spark" }),
      ...columns.slice(1).map(({ order, class: kind }) => h("td", { class: [kind, order === "outcome" && !Number.isNaN(row.outcome) && !inside && "outside"].filter(Boolean).join(" ") || undefined,
        title: order === "outcome" && !Number.isNaN(row.outcome) && !inside ? "outside the 90% interval" : undefined }, text(order))));
  }

  /** A number with the digits of its feature; everything else as it is in the file. */
  private cell(row: Listed, column: number): string {
    const text = row.cells[column] ?? "";
    const feature = this.state.model.features.find((one) => one.name === this.table.header[column]);
    const number = feature?.type === "number" && !feature.dates ? numberAt(text) : NaN;
    return Number.isNaN(number) ? text : cellText(feature!, number);
  }

  private open(row: Listed): void {
    const { row: cells, outcome } = this.given(row);
    this.state.setRow(cells, outcome, `row ${row.number} of ${this.file.name}`);
    document.getElementById("forecast-title")!.focus({ preventScroll: true });
    document.querySelector(".forecast-panel")!.scrollIntoView({ block: "start", behavior: "auto" });
  }

  private saver(predicted: string): HTMLElement {
    const id = newId("form");
    const form = h("select", { id, "aria-label": "What to save" }, ...kForms.map(([value, name]) => h("option", { value }, name)));
    const name = `${this.file.name.replace(/\.[^.]*$/, "")}-predictions.csv`;
    const link = h("a", { download: name, class: "button primary" }, `Save ${name}`);
    const offer = (text: string) => {
      URL.revokeObjectURL(link.href);
      link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    };
    form.onchange = async () => {
      link.classList.add("busy");
      try {
        offer(form.value === "" ? predicted : await predictFile(this.file, form.value));
      } catch (error) {
        put(this.found, inWords(error));
      }
      link.classList.remove("busy");
    };
    offer(predicted);
    return h("div", { class: "saver" }, form, link);
  }
}
