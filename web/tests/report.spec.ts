import type { Page } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "../src/report/data";
import { expect, kProgram, obstacles, test as base } from "./server";

/** Pages of the quick models: one target, two targets, and data without outcomes. */
const test = base.extend<object, { reports: { one: string; two: string; blind: string; shifted: string; counts: string; large: string; pair: string } }>({
  reports: [async ({ folder }, use) => {
    const make = (model: string, data: string, name: string, ...second: string[]) => {
      execFileSync(kProgram, ["report", model, ...second, data, "--out", name, "--explain-rows", "12", "--quiet"], { cwd: folder });
      return join(folder, name);
    };
    const homes = readFileSync(join(folder, "homes.csv"), "utf8").trim().split("\n");
    const changed = (name: string, price: (cells: string[]) => string) => writeFileSync(join(folder, name),
      homes.map((line, i) => (i === 0 ? line : ((cells) => [...cells.slice(0, 3), price(cells), cells[4]].join(","))(line.split(",")))).join("\n") + "\n");
    changed("shifted.csv", (cells) => (Number(cells[3]) - 900).toFixed(1)); // every forecast 900 too high, and right but for that
    changed("counts.csv", (cells) => String(Math.min(4, Math.round(Number(cells[3]) / 300)))); // five values
    changed("large.csv", (cells) => String(Math.round(1000 * Number(cells[3]))));
    const quick = ["--networks", "1", "--width", "32", "--epochs", "20", "--min-steps", "0", "--neighbours", "0", "--seed", "1", "--quiet"];
    execFileSync(kProgram, ["fit", "counts.csv", "--target", "price", "--ignore", "rent", "--out", "counts.mirrorball", ...quick], { cwd: folder });
    execFileSync(kProgram, ["fit", "large.csv", "--target", "price", "--ignore", "rent", "--out", "large.mirrorball", ...quick], { cwd: folder });
    execFileSync(kProgram, ["fit", "homes.csv", "--target", "price", "--ignore", "rent", "--ignore", "kind", "--out", "plain.mirrorball", ...quick], { cwd: folder });
    const blind = readFileSync(join(folder, "homes.csv"), "utf8").trim().split("\n").map((line, i) =>
      line.split(",").slice(0, 3).join(",").replace("loft", i % 2 ? "boat" : "loft"));
    writeFileSync(join(folder, "blind.csv"), blind.join("\n") + "\n");
    await use({ one: make("homes.mirrorball", "homes.csv", "one.html"), two: make("both.mirrorball", "homes.csv", "two.html"),
      blind: make("homes.mirrorball", "blind.csv", "blind.html"), shifted: make("homes.mirrorball", "shifted.csv", "shifted.html"),
      counts: make("counts.mirrorball", "counts.csv", "counts.html"), large: make("large.mirrorball", "large.csv", "large.html"), pair: make("homes.mirrorball", "homes.csv", "pair.html", "plain.mirrorball") });
  }, { scope: "worker", timeout: 240_000 }],
});

/** Opens a report from disk; it may ask for nothing else. */
async function open(page: Page, path: string): Promise<string[]> {
  const asked: string[] = [];
  page.on("request", (request) => /^(file|https?|wss?):/.test(request.url()) && asked.push(request.url()));
  await page.goto(`file://${path}`);
  await expect(page.locator("#summary h2")).toHaveText("Summary");
  return asked;
}

/** Everything is drawn without being scrolled to. */
async function drawAll(page: Page): Promise<void> {
  await expect.poll(() => page.locator("main .chart:not(:has(svg))").count()).toBe(0);
}

/** Moves the pointer to a mark of a picture. */
async function point(page: Page, picture: string, mark: string, index = 0): Promise<void> {
  await page.locator(picture).first().scrollIntoViewIfNeeded();
  await page.locator(`${picture} ${mark}`).nth(index).hover({ force: true });
}

test("opens from disk, asks for nothing, and is small", async ({ page, reports }) => {
  const asked = await open(page, reports.one);
  await drawAll(page);
  expect(asked).toEqual([`file://${reports.one}`]);
  for (const path of Object.values(reports)) expect(statSync(path).size).toBeLessThan(1.5e6);
  for (const title of ["Summary", "Above a threshold", "Accuracy", "Calibration", "Weak spots", "along a feature", "Best and worst", "drives", "Drift", "Data and fit"])
    await expect(page.locator("main h2", { hasText: title })).toHaveCount(1);
  await expect(page.locator(".verdict")).toContainText("the mean absolute error of price is");
  await expect(page.locator(".tile")).toHaveCount(4);
  await expect(page.locator("#accuracy tbody tr")).toHaveCount(5); // two simple references, and two that are fitted
  await expect(page.locator("#rows .row-card")).toHaveCount(8);
});

test("the uncertainty is shown in two parts", async ({ page, reports }) => {
  await open(page, reports.one);
  await drawAll(page);
  await expect(page.locator("#uncertainty .lede")).toContainText(/% of the uncertainty is epistemic: what the networks.* disagree about/);
  await expect(page.locator("#uncertainty .lede")).toContainText("the actual one");
  await expect(page.locator("#uncertainty svg g[aria-label=bar] rect")).toHaveCount(10);
  await expect(page.locator("#uncertainty svg g[aria-label=dot] circle")).toHaveCount(5);
  await open(page, reports.blind); // no outcomes, no actual CRPS
  await drawAll(page);
  await expect(page.locator("#uncertainty .lede")).not.toContainText("actual");
  await expect(page.locator("#uncertainty svg g[aria-label=dot]")).toHaveCount(0);
});

test("one number has the same digits wherever it stands", async ({ page, reports }) => {
  await open(page, reports.one);
  await drawAll(page);
  const crps = await page.locator("#accuracy tr.own .measured > span").first().textContent();
  await expect(page.locator("#uncertainty .lede")).toContainText(`the actual one ${crps}.`);
  await expect(page.locator("#summary .verdict")).toContainText(`The CRPS is ${crps},`);
  // Costs have three digits, errors of importances two.
  for (const cost of (await page.locator("#thresholds .lede").textContent())!.matchAll(/(?:costs|hindsight is) (\d*\.?\d+)/g))
    expect(cost[1]!.replace(/^0\.0*|\./g, "").length, cost[1]).toBeLessThanOrEqual(3);
  for (const error of await page.locator("#drivers .bars small:has-text('±')").allTextContents())
    expect(error.replace(/[^\d.]/g, "").replace(/^0\.0*|\./g, "").replace(/0+$/, "").length, error).toBeLessThanOrEqual(2);
});

test("large numbers have no digits that nobody knows, and a skill no decimals", async ({ page, reports }) => {
  await open(page, reports.large);
  await drawAll(page);
  await expect(page.locator("#rows .row-card")).toHaveCount(8);
  for (const words of await page.locator("#rows .row-card p.soft").allTextContents()) {
    const [median, low, high] = words.match(/[\d,]+(?= |$)/g)!.map((one) => Number(one.replaceAll(",", ""))).filter((one) => one !== 90) as [number, number, number];
    const step = 10 ** Math.floor(Math.log10((high - low) / 33.4));
    for (const one of [median, low, high]) expect(one % step, `${one} in ${words}`).toBe(0);
  }
  const [mae, skill] = await page.locator(".tile strong").allTextContents();
  expect(Number(mae!.replaceAll(",", "")) % 100, mae).toBe(0);
  await expect(page.locator("#summary .verdict")).toContainText(`the mean absolute error of price is ${mae}.`);
  expect(skill).toMatch(/^\d\d%$/);
  await expect(page.locator("#summary .verdict")).toContainText(`${skill} lower than that`);
});

/** What the page was made from. */
const numbersOf = (page: Page): Promise<Report> => page.evaluate(() => JSON.parse(document.getElementById("report")!.textContent!));

test("a row has the numbers of predict, which are the explorer's", async ({ page, reports, folder }) => {
  await open(page, reports.one);
  const { targets, samples } = await numbersOf(page);
  expect(samples).toBe(1000);
  for (const one of [...targets[0]!.worst, ...targets[0]!.best]) {
    const line = execFileSync(kProgram, ["predict", "homes.mirrorball", "homes.csv", "--rows", `${one.row}:${one.row + 1}`, "--quantiles", "0.05,0.5,0.95"], { cwd: folder, encoding: "utf8" });
    const [low, median, high] = line.trim().split("\n").at(-1)!.split(",").map(Number) as [number, number, number];
    for (const [here, there] of [[one.low, low], [one.median, median], [one.high, high]] as const) expect(Math.abs(here / there - 1), `row ${one.row}`).toBeLessThan(1e-4);
  }
});

test("what a forecast comes from is said, in the fit and where its parts disagree", async ({ page, reports }) => {
  await open(page, reports.one);
  const parts = (await numbersOf(page)).model.parts[0]!;
  const beside = (["forest", "neighbours"] as const).filter((name) => parts[name] > 0);
  expect(beside.length, JSON.stringify(parts)).toBeGreaterThan(0);
  for (const name of beside) {
    await expect(page.locator("#fit .facts")).toContainText(new RegExp(`\\d% from (a )?${name}`));
    await expect(page.locator("#uncertainty .lede")).toContainText(`the ${name}`);
  }
  await expect(page.locator("#fit .facts")).toContainText("2 numbers, 1 category");
  await expect(page.locator("#drift .lede")).toContainText("All 2 numeric features are distributed as in training; 1 categorical feature has no new categories.");
});

test("coverage of the weakest rows is one number: in the summary, the table and the map", async ({ page, reports }) => {
  await open(page, reports.shifted);
  await drawAll(page);
  const covered = /there the 90% intervals cover ([\d.]+)%/.exec((await page.locator("#summary .verdict").textContent())!)![1]!;
  await expect(page.locator("#weak .table tbody tr").first()).toContainText(`90% intervals cover ${covered}%`);
  expect(await page.locator("#weak .chart text").allTextContents()).toContain(covered);
});

test("figures side by side begin at the same height", async ({ page, reports }) => {
  for (const width of [1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, reports.one);
    await drawAll(page);
    for (const part of [".chart", ".legend", "figcaption"]) {
      const tops = await page.locator(`#calibration .pair > figure > ${part}`).evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
      expect(tops).toHaveLength(part === ".legend" ? 2 : 4); // one line that a title names needs no key
      for (let i = 0; i < tops.length; i += 2) expect(tops[i], `${part} at ${width}`).toBe(tops[i + 1]);
    }
  }
});

test("rows with the same forecast and outcome are one dot, larger where they are more", async ({ page, reports }) => {
  await open(page, reports.counts);
  await drawAll(page);
  const figure = page.locator("#accuracy figure", { hasText: "Forecast and outcome" });
  await expect(figure.locator("figcaption")).toContainText("larger ones where several have the same values");
  const radii = await figure.locator("g[aria-label=dot] circle").evaluateAll((all) => all.map((one) => Number(one.getAttribute("r"))));
  expect(radii.length).toBeLessThan(30); // of five values
  expect(Math.max(...radii)).toBeGreaterThan(8);
});

test("the number beside the verdict on calibration is its evidence, in the words of the verdict", async ({ page, reports }) => {
  await open(page, reports.shifted);
  const words = await page.locator(".tile", { hasText: "Calibration" }).locator("span").textContent();
  expect(words).toContain("below the median");
  await expect(page.locator("#calibration .lede").first()).toContainText(words!);
});

test("on a narrow page a sentence reads from the left, and a feature of the drift has two lines", async ({ page, reports }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, reports.shifted);
  for (const cell of await page.locator(".table td.sentence").all()) expect(await cell.evaluate((one) => getComputedStyle(one).textAlign)).toBe("left");
  const heights = await page.locator("#drift .table tbody tr").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(125);
});

test("importances can be saved as a picture", async ({ page, reports }) => {
  await open(page, reports.one);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as SVG: The mean", exact: true }).click()]);
  const text = readFileSync(await download.path(), "utf8");
  for (const part of ["size", "age", "kind", "mean absolute effect on the mean forecast"]) expect(text).toContain(part);
  expect(text).not.toContain("var(--");
  expect(text).toMatch(/width="560"/);
});

test("the area under equal widths is not stacked", async ({ page, reports }) => {
  await open(page, reports.counts); // several intervals are equally wide
  await drawAll(page);
  const area = page.locator("#calibration figure", { hasText: "Interval widths" }).locator("g[aria-label=area] path").first();
  const [highest, bottom] = await area.evaluate((one: SVGPathElement) => {
    const heights = one.getAttribute("d")!.match(/-?[\d.]+,-?[\d.]+/g)!.map((point) => Number(point.split(",")[1]));
    return [Math.min(...heights), Math.max(...heights)];
  });
  const box = await area.evaluate((one: SVGPathElement) => Number(one.ownerSVGElement!.getAttribute("height")));
  expect(bottom).toBeLessThan(box);
  expect(highest).toBeGreaterThanOrEqual(25); // the frame's upper edge: nothing lies above 100%
});

test("words in a drawing do not lie on each other", async ({ page, reports }) => {
  for (const width of [390, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, reports.counts);
    await drawAll(page);
    const collisions = await page.locator("#rows .row-card svg").evaluateAll((all) => all.flatMap((svg) => {
      const words = [...svg.querySelectorAll("g[aria-label=text] text")].map((one) => ({ text: one.textContent, box: one.getBoundingClientRect() }));
      return words.flatMap((a, i) => words.slice(i + 1).filter((b) => a.box.left < b.box.right - 1 && b.box.left < a.box.right - 1 && a.box.top < b.box.bottom - 4 && b.box.top < a.box.bottom - 4)
        .map((b) => `${a.text} on ${b.text}`));
    }));
    expect(collisions, `${width}`).toEqual([]);
  }
});

test("the select box changes the fan chart", async ({ page, reports }) => {
  await open(page, reports.one);
  const select = page.getByLabel("Feature", { exact: true });
  await select.scrollIntoViewIfNeeded();
  await select.selectOption("size");
  await expect(page.locator("#fan .chart")).toHaveAttribute("data-feature", "size");
  await expect(page.locator("#fan .chart svg")).toBeVisible();
  const size = await page.locator("#fan .chart svg").innerHTML();
  await select.selectOption("age");
  await expect(page.locator("#fan .chart")).toHaveAttribute("data-feature", "age");
  await expect.poll(() => page.locator("#fan .chart svg").innerHTML()).not.toBe(size);
  await expect(page.locator("#fan .lede")).toContainText("age");
  await select.selectOption("kind"); // a category has bars
  await expect(page.locator("#fan .chart svg g[aria-label=bar] rect")).toHaveCount(6);
  await page.getByRole("button", { name: "Other features fixed" }).click();
  await expect(page.locator("#fan .lede")).toContainText("most typical row of the data");
});

test("the verdict is the same wherever it is said, with one decimal", async ({ page, reports, folder }) => {
  await open(page, reports.one);
  const said = JSON.parse(execFileSync(kProgram, ["score", "homes.mirrorball", "homes.csv", "--json"], { cwd: folder, encoding: "utf8" })).targets.price;
  const { words } = said.calibration;
  await expect(page.locator("#summary .verdict")).toContainText(words);
  await expect(page.locator("#calibration .lede")).toContainText(words);
  await expect(page.locator("#calibration .lede")).toContainText(`${(100 * said.interval["0.9"].coverage).toFixed(1)}% (expected: ${(100 * said.interval["0.9"].mass).toFixed(1)}%)`);
  expect(await page.locator("#summary, #calibration").evaluateAll((all) => all.map((one) => one.textContent).join(" "))).not.toMatch(/overconfident|agrees with/);
});

test("nothing is cut off at 0 or 100%, and pure bias is called bias", async ({ page, reports }) => {
  await open(page, reports.shifted);
  const tile = (name: string) => page.locator(".tile", { hasText: name }).locator("strong");
  await expect(tile("R² of the mean")).toHaveText(/^−\d/);
  await expect(tile("Calibration")).toHaveText("Biased");
  const skill = await tile("CRPS skill").textContent();
  expect(skill).toMatch(/^−\d+%$/);
  await expect(page.locator("#summary .verdict")).toContainText(`${skill!.slice(1)} higher`);
  await expect(page.locator("#summary")).toContainText("forecasts are too high");
  await expect(page.locator("#summary")).not.toContainText("too narrow");
});

test("few values: intervals are compared with their own probability", async ({ page, reports }) => {
  await open(page, reports.counts);
  await expect(page.locator("#calibration .lede")).toContainText("take 5 different values");
  const words = (await page.locator("#calibration .lede").textContent())!;
  const [, covered, expected] = /the 50% intervals ([\d.]+)% \(expected: ([\d.]+)%\)/.exec(words)!;
  expect(Number(expected)).toBeGreaterThan(55);
  expect(Math.abs(Number(covered) - Number(expected))).toBeLessThan(15);
});

test("along a feature, what no row is near to is grey", async ({ page, reports }) => {
  await open(page, reports.one);
  await page.getByRole("button", { name: "Other features fixed" }).click();
  await page.getByLabel("Feature", { exact: true }).selectOption("size");
  await expect(page.locator("#fan .lede")).toContainText(/Rows of the data lie near everywhere|extrapolates/);
  await expect(page.locator("#fan svg g[aria-label=rule] line").first()).toBeAttached(); // the rug
});

test("charts answer: a dot opens its row, a weak spot its slice", async ({ page, reports }) => {
  await open(page, reports.one);
  await drawAll(page);
  await expect(page.locator("#accuracy figcaption")).toContainText("All 600 rows are shown as dots");
  await point(page, "#accuracy .chart", "g[aria-label=dot] circle", 40);
  await expect(page.locator("#accuracy .chart g[aria-label=tip]")).toContainText(/Row \d+/);
  await page.mouse.down();
  await page.mouse.up();
  const panel = page.locator("dialog.panel");
  await expect(panel.locator("h2")).toHaveText(/^Row \d+$/);
  await expect(panel).toContainText("size");
  await expect(panel.locator("code").first()).toContainText("mirrorball explain homes.mirrorball homes.csv --row");
  await expect(panel.getByRole("link", { name: "Open in the explorer" })).toHaveAttribute("href", /#x\.size=.*y\.price=/);
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await point(page, "#weak .chart", "g[aria-label=cell] rect", 2);
  await page.mouse.down();
  await page.mouse.up();
  await expect(panel.locator("h2")).toHaveText(/^Rows with /);
  await expect(panel).toContainText("Calibration of these rows");
  await panel.getByRole("button", { name: /^Row \d+$/ }).first().click();
  await expect(panel.locator("h2")).toHaveText(/^Row \d+$/);
});

test("every figure can be saved", async ({ page, reports }) => {
  await open(page, reports.one);
  await drawAll(page);
  const figures = await page.locator("main figure").count();
  expect(await page.locator("main figure .save").count()).toBe(figures);
  const save = async (format: string) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator("#accuracy figure .save button", { hasText: format }).click()]);
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
  };
  const csv = await save("CSV"), svg = await save("SVG"), png = await save("PNG");
  expect(csv.name).toBe("forecast-and-outcome.csv");
  expect(csv.bytes.toString().split("\n").slice(0, 1)).toEqual(["row,median,outcome"]);
  expect(csv.bytes.toString().trim().split("\n")).toHaveLength(601);
  expect(svg.bytes.toString()).toMatch(/^<svg[^>]*xmlns=/);
  expect(svg.bytes.toString()).not.toContain("var(--");
  expect(png.bytes.subarray(1, 4).toString()).toBe("PNG");
});

test("two models side by side", async ({ page, reports }) => {
  await open(page, reports.pair);
  await drawAll(page);
  await expect(page.locator("#compare .lede").first()).toContainText("homes.mirrorball predicts price better");
  await expect(page.locator("#summary .lede")).toHaveText(/^homes\.mirrorball predicts price better: its CRPS is \S+ lower than that of plain\.mirrorball\. The numbers below are of homes\.mirrorball\.$/);
  await expect(page.locator("#compare tbody tr")).toHaveCount(2);
  // The map has the digits of its own differences: none is shown as 0 that is not.
  const cells = await page.locator("#compare .chart").first().locator("text").allTextContents();
  expect(cells.filter((one) => /^[−+]?0[.0]*$/.test(one))).toEqual([]);
  await expect(page.locator("#compare .chart svg")).toHaveCount(2);
  expect(await obstacles(page)).toEqual([]);
});

test("acting above a threshold", async ({ page, reports }) => {
  await open(page, reports.one);
  const before = await page.locator("#thresholds .lede").textContent();
  await page.getByLabel("Threshold", { exact: true }).press("Home");
  await expect(page.locator("#thresholds .lede")).not.toHaveText(before!);
  await page.getByLabel("Cost of a miss").press("End");
  await expect(page.locator("#thresholds .lede")).toContainText("a miss costs 20 false alarms");
});

test("tables are cards on a telephone", async ({ page, reports }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, reports.one);
  const cell = page.locator("#accuracy td").first();
  expect(await cell.evaluate((one) => getComputedStyle(one, "::before").content)).toBe('"CRPS"');
  const box = (await page.locator("#accuracy tbody tr").first().boundingBox())!;
  expect(box.width).toBeLessThan(390);
});

test("no tile stands alone", async ({ page, reports }) => {
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, reports.one);
    const tops = await page.locator(".tile").evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    const lines = [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
    expect(new Set(lines).size, `${width}: ${lines}`).toBe(1);
  }
});

test("two targets: one at a time, and together", async ({ page, reports }) => {
  await open(page, reports.two);
  await expect(page.locator(".verdict")).toContainText("error of price");
  await page.getByLabel("Target", { exact: true }).selectOption("rent");
  await expect(page.locator(".verdict")).toContainText("error of rent");
  await drawAll(page);
  const contours = () => page.locator("#joint .chart svg").first().innerHTML();
  const before = await contours();
  await page.getByLabel("Row", { exact: true }).selectOption({ index: 1 });
  await expect.poll(contours).not.toBe(before);
  await expect(page.locator("#joint .lede")).toContainText("correlation");
});

test("without outcomes it says so and shows the rest", async ({ page, reports }) => {
  await open(page, reports.blind);
  await drawAll(page);
  await expect(page.locator(".verdict")).toContainText("no outcomes");
  await expect(page.locator(".warnings")).toContainText("boat");
  await expect(page.locator("#accuracy, #calibration")).toHaveCount(0);
  await expect(page.locator("#drift")).toContainText("1 category new or rare in training");
  await expect(page.locator("#drivers .bars")).toHaveCount(2);
});

for (const colorScheme of ["light", "dark"] as const)
  test(`nothing stands in the way of a screen reader, ${colorScheme}`, async ({ page, reports }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await open(page, reports.two);
    await drawAll(page);
    expect(await obstacles(page)).toEqual([]);
  });

test("large numbers and long verdicts stay in their cards", async ({ page, reports }) => {
  for (const width of [390, 780, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, reports.one);
    await page.evaluate(() => {
      for (const one of document.querySelectorAll(".measured > span")) one.textContent = "1,251,350";
      for (const one of document.querySelectorAll(".measured > small")) Object.assign(one, { textContent: "−1,230,960 to −1,124,919", className: "" });
    });
    const wide = () => page.locator("section.card, .tile").evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.id || one.textContent));
    expect(await wide(), `${width}`).toEqual([]);
    await open(page, reports.shifted);
    await expect(page.locator(".tile.long")).toHaveCount(0);
    await page.locator(".tile").nth(2).evaluate((one) => { one.classList.add("long"); one.querySelector("strong")!.textContent = "Miscalibrated"; });
    expect(await wide(), `${width}`).toEqual([]);
  }
});

for (const width of [360, 2560])
  test(`fits a screen of ${width} pixels`, async ({ page, reports }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page, reports.two);
    await drawAll(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

/** A model of a real table, where there is one: MIRRORBALL_REPORT names its report. */
test("a report of california opens at once", async ({ page }) => {
  const path = process.env.MIRRORBALL_REPORT;
  test.skip(!path || !existsSync(path), "MIRRORBALL_REPORT names no report");
  const begun = Date.now();
  await open(page, path!);
  const ready = await page.evaluate(() => performance.now());
  console.log(`    report: ready after ${ready.toFixed(0)} ms in the page, ${Date.now() - begun} ms in all`);
  if (process.env.MIRRORBALL_TIMINGS) expect(ready).toBeLessThan(1000);
});

test("dates are dates on axes and cards", async ({ page, folder }) => {
  execFileSync(kProgram, ["report", "dated.mirrorball", "dated.csv", "--out", "dated.html", "--explain-rows", "5", "--quiet"], { cwd: folder });
  await open(page, join(folder, "dated.html"));
  await page.locator("#fan select").selectOption({ label: "sold" });
  await drawAll(page);
  await expect(page.locator("#fan svg")).toContainText("2022");
  await expect(page.locator("#fan svg")).not.toContainText("10⁹");
  await expect(page.locator("#rows .cells").first()).toContainText(/sold\s*202[1-3]-\d\d-\d\d/);
  await expect(page.locator("#calibration h3", { hasText: "Coverage over sold" })).toHaveCount(1);
  await expect(page.locator("#rows .cells").first()).toContainText(/size\s*\d(?![.\d])/);
});
