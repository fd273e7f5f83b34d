import type { Page } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, kProgram, obstacles, test as base } from "./server";

/** Pages of the quick models: one target, two targets, and data without outcomes. */
const test = base.extend<object, { reports: { one: string; two: string; blind: string } }>({
  reports: [async ({ folder }, use) => {
    const make = (model: string, data: string, name: string) => {
      execFileSync(kProgram, ["report", model, data, "--out", name, "--explain-rows", "12", "--quiet"], { cwd: folder });
      return join(folder, name);
    };
    const blind = readFileSync(join(folder, "homes.csv"), "utf8").trim().split("\n").map((line, i) =>
      line.split(",").slice(0, 3).join(",").replace("loft", i % 2 ? "boat" : "loft"));
    writeFileSync(join(folder, "blind.csv"), blind.join("\n") + "\n");
    await use({ one: make("homes.mirrorball", "homes.csv", "one.html"), two: make("both.mirrorball", "homes.csv", "two.html"),
      blind: make("homes.mirrorball", "blind.csv", "blind.html") });
  }, { scope: "worker", timeout: 240_000 }],
});

/** Opens a report from disk; it may ask for nothing else. */
async function open(page: Page, path: string): Promise<string[]> {
  const asked: string[] = [];
  page.on("request", (request) => /^(file|https?|wss?):/.test(request.url()) && asked.push(request.url()));
  await page.goto(`file://${path}`);
  await expect(page.locator("#summary h2")).toHaveText("In short");
  return asked;
}

/** Scrolls through the page, so that everything is drawn. */
async function drawAll(page: Page): Promise<void> {
  for (const one of await page.locator("main .chart").all()) await one.scrollIntoViewIfNeeded();
  await expect.poll(() => page.locator("main .chart:not(:has(svg))").count()).toBe(0);
}

test("opens from disk, asks for nothing, and is small", async ({ page, reports }) => {
  const asked = await open(page, reports.one);
  await drawAll(page);
  expect(asked).toEqual([`file://${reports.one}`]);
  expect(statSync(reports.one).size).toBeLessThan(3 << 20);
  for (const title of ["In short", "Accuracy", "Calibration", "weakest", "along a feature", "Best and worst", "drives", "like the training data", "the fit"])
    await expect(page.locator("main h2", { hasText: title })).toHaveCount(1);
  await expect(page.locator(".verdict")).toContainText("the typical error of the forecast of price is");
  await expect(page.locator(".tile")).toHaveCount(4);
  await expect(page.locator("#rows .row-card")).toHaveCount(8);
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
  await page.getByRole("button", { name: "Others held still" }).click();
  await expect(page.locator("#fan .lede")).toContainText("typical");
});

test("two targets: one at a time, and together", async ({ page, reports }) => {
  await open(page, reports.two);
  await expect(page.locator(".verdict")).toContainText("forecast of price");
  await page.getByLabel("Target", { exact: true }).selectOption("rent");
  await expect(page.locator(".verdict")).toContainText("forecast of rent");
  await drawAll(page);
  const contours = () => page.locator("#joint .chart svg").innerHTML();
  const before = await contours();
  await page.getByLabel("Row", { exact: true }).selectOption({ index: 1 });
  await expect.poll(contours).not.toBe(before);
  await expect(page.locator("#joint .lede")).toContainText("correlation");
});

test("without outcomes it says so and shows the rest", async ({ page, reports }) => {
  await open(page, reports.blind);
  await drawAll(page);
  await expect(page.locator(".verdict")).toContainText("are not known");
  await expect(page.locator(".warnings")).toContainText("boat");
  await expect(page.locator("#accuracy, #calibration")).toHaveCount(0);
  await expect(page.locator("#drift")).toContainText("never seen in training");
  await expect(page.locator("#drivers .bars")).toHaveCount(2);
});

for (const colorScheme of ["light", "dark"] as const)
  test(`nothing stands in the way of a screen reader, ${colorScheme}`, async ({ page, reports }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await open(page, reports.two);
    await drawAll(page);
    expect(await obstacles(page)).toEqual([]);
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
  await expect(page.locator("#rows .cells").first()).toContainText(/sold 202[1-3]-\d\d-\d\d/);
  await expect(page.locator("#rows .cells").first()).toContainText(/size \d(?![.\d])/);
});
