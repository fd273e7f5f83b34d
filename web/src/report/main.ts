import "../shared/theme.css";
import "./report.css";
import { h, put } from "../shared/dom";
import { counted } from "../shared/format";
import { themeSwitch } from "../shared/theme";
import { isScored, type Report } from "./data";
import { comparison } from "./comparison";
import { fans, joint, rows } from "./forecasts";
import { overview } from "./overview";
import { accuracy, calibration, weakness } from "./quality";
import { choice } from "./parts";
import { drift, drivers, fit } from "./sources";
import { thresholds } from "./thresholds";
import { uncertainty } from "./uncertainty";

const app = document.getElementById("app")!;
const names: Record<string, string> = { summary: "Summary", compare: "Comparison", accuracy: "Accuracy", calibration: "Calibration", uncertainty: "Uncertainty", weak: "Weak spots", fan: "Along a feature",
  thresholds: "Thresholds", rows: "Rows", joint: "Targets together", drivers: "Drivers", drift: "Drift", fit: "Data and fit" };

function sections(report: Report, t: number): HTMLElement[] {
  const target = report.targets[t]!;
  const scored = isScored(target) ? target : null;
  const all = [overview(report, t), scored && report.other ? comparison(report, t, scored, report.other) : null,
    ...(scored ? [accuracy(report, t, scored), calibration(report, t, scored)] : []), target.uncertainty ? uncertainty(report, target.uncertainty, target) : null,
    scored && weakness(report, t, scored), fans(report, t), scored && thresholds(scored), rows(report, t), report.joint ? joint(report, report.joint) : null, drivers(report, t), drift(report), fit(report)];
  return all.filter((one): one is HTMLElement => one !== null);
}

function contents(shown: HTMLElement[]): HTMLElement {
  const links = shown.map((one) => h("a", { href: `#${one.id}` }, names[one.id] ?? one.id));
  const near = new Set<Element>();
  const follow = new IntersectionObserver((seen) => {
    for (const one of seen) near[one.isIntersecting ? "add" : "delete"](one.target);
    const first = shown.findIndex((one) => near.has(one));
    links.forEach((link, i) => i === first ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current"));
  }, { rootMargin: "-30% 0px -60% 0px" });
  shown.forEach((one) => follow.observe(one));
  return h("nav", { class: "contents", "aria-label": "Sections" }, ...links);
}

function show(report: Report): void {
  const targets = report.targets.map((one) => one.name);
  const title = report.title || `Forecasts of ${targets.length > 3 ? `${counted(targets.length, "target")}` : targets.join(" and ")}`;
  document.title = `${title} · Mirrorball report`;
  const body = h("div", { class: "body" });
  const fill = (t: number) => {
    const made = sections(report, t);
    put(body, contents(made), h("main", {}, ...made));
  };
  put(app, h("a", { class: "skip", href: "#summary" }, "Skip to the summary"),
    h("header", { class: "top" }, h("span", { class: "ball", "aria-hidden": "true" }),
      h("div", { class: "title" }, h("h1", {}, title),
        h("p", { class: "soft small" }, `${report.model.name}${report.other ? ` and ${report.other.name}` : ""} on ${report.data.name} · ${counted(report.data.used, "row")}${report.data.used < report.data.rows ? ` of ${report.data.rows.toLocaleString("en-US")}` : ""}`)),
      targets.length > 1 && choice("Target", targets, fill), themeSwitch()),
    body);
  fill(0);
}

const text = document.getElementById("report")!.textContent!;
const report = JSON.parse(text) as Report | null;
if (report) show(report);
else put(app, h("p", { class: "notice" }, "This report is empty. Create one with `mirrorball report MODEL DATA --out report.html`."));
