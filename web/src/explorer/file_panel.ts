import { h, put } from "../shared/dom";
import { counted } from "../shared/format";
import { predictFile, Refusal } from "./api";
import type { State } from "./state";

/** A table in, predictions out as a file. */

const kPreview = 5;

export function filePanel(state: State): HTMLElement {
  const { limits } = state.model;
  const form = h("select", { "aria-label": "What to predict" },
    h("option", { value: "" }, "mean, sd, 5, 50 and 95% quantiles"),
    h("option", { value: "?interval=0.9" }, "90% interval"),
    h("option", { value: "?quantiles=0.01,0.05,0.1,0.25,0.5,0.75,0.9,0.95,0.99" }, "nine quantiles"),
    h("option", { value: "?samples=100" }, "100 draws"));
  const input = h("input", { type: "file", accept: ".csv,.tsv,.txt,text/csv", class: "visually-hidden", id: "upload" });
  const status = h("div", { "aria-live": "polite", class: "file-status" });
  const drop = h("label", { class: "drop", htmlFor: "upload" }, h("strong", {}, "Choose a CSV file"), " or drop it here");
  let url = "";

  const predict = async (file: File) => {
    put(status, h("p", { class: "soft" }, `Predicting ${file.name} …`));
    drop.classList.add("busy");
    try {
      const answer = await predictFile(file, form.value);
      const text = await answer.text();
      const lines = text.trimEnd().split("\n");
      URL.revokeObjectURL(url);
      url = URL.createObjectURL(answer);
      const name = `${file.name.replace(/\.[^.]*$/, "")}-predictions.csv`;
      const link = h("a", { href: url, download: name, class: "button primary" }, `Save ${name}`);
      put(status, h("p", {}, `${counted(lines.length - 1, "row")} predicted. `, link), preview(lines));
    } catch (error) {
      put(status, h("p", { class: "notice bad", role: "alert" },
        error instanceof Refusal && error.hint ? `${error.message}; ${error.hint}.` : `${(error as Error).message}.`));
    }
    drop.classList.remove("busy");
    input.value = "";
  };
  input.onchange = () => input.files?.[0] && void predict(input.files[0]);
  drop.ondragover = (event) => {
    event.preventDefault();
    drop.classList.add("over");
  };
  drop.ondragleave = () => drop.classList.remove("over");
  drop.ondrop = (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    const file = event.dataTransfer?.files[0];
    if (file) void predict(file);
  };
  return h("section", { class: "card file-panel", "aria-labelledby": "file-title" },
    h("header", {}, h("h2", { id: "file-title" }, "Predict a table"), form), input, drop,
    h("p", { class: "soft small" }, `The model's features by name, in any order; other columns are passed over. Up to ` +
      `${counted(limits.csv_rows, "row")}.`), status);
}

function preview(lines: string[]): HTMLElement {
  const cells = (line: string) => line.trimEnd().split(",").slice(0, 9);
  const row = (line: string, tag: "th" | "td") => h("tr", {}, ...cells(line).map((cell) => h(tag, { class: "number" }, cell)));
  return h("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "The first predictions" }, h("table", {},
    h("thead", {}, row(lines[0]!, "th")), h("tbody", {}, ...lines.slice(1, 1 + kPreview).map((line) => row(line, "td")))));
}
