import { expect, test } from "@playwright/test";
import { bandwidth, chanceAbove, density, quantile, sorted } from "../src/shared/density";
import { counted, dateText, formatterFor, percent, plainNumber, points, signed } from "../src/shared/format";
import type { ModelFacts } from "../src/explorer/api";
import { parseRow } from "../src/explorer/paste";
import { atLevel, levelOf } from "../src/explorer/state";

test("numbers are written as a person would", () => {
  expect(formatterFor(4.85)(2.0567)).toBe("2.06");
  expect(formatterFor(7_600_000)(221900.4)).toBe("221,900");
  expect(formatterFor(99)(37.88)).toBe("37.9");
  expect(formatterFor(5000)(1955)).toBe("1955");
  expect(formatterFor(10)(-122.234)).toBe("−122.23");
  expect(formatterFor(0.002)(0.0013021)).toBe("0.00130");
  expect(formatterFor(1e-7)(9.81e-8)).toBe("9.81 × 10⁻⁸");
  expect(formatterFor(10)(-0.0001)).toBe("0.00");
  expect(formatterFor(10)(NaN)).toBe("–");
  expect(plainNumber(0)).toBe("0");
  expect(plainNumber(3.14159)).toBe("3.142");
  expect(plainNumber(12345.6)).toBe("12,346");
  expect(plainNumber(0.5)).toBe("0.5");
  expect(plainNumber(-2e-7)).toBe("−2.00 × 10⁻⁷");
  expect([percent(0), percent(0.0004), percent(0.043), percent(0.5), percent(0.9995), percent(1)]).toEqual(
    ["0%", "<0.1%", "4.3%", "50%", ">99.9%", "100%"]);
  expect([points(0.042), points(-0.31), points(0)]).toEqual(["+4.2", "−31", "0.0"]);
  expect([signed("2"), signed("−2"), signed("0.00")]).toEqual(["+2", "−2", "0.00"]);
  expect([counted(1, "row"), counted(1234, "row")]).toEqual(["1 row", "1,234 rows"]);
});

test("dates are as fine as their span needs", () => {
  const noon = 1709164800 + 12 * 3600, day = 86400;
  expect([dateText(noon, 365 * day), dateText(noon + 59, 3 * day), dateText(noon + 5, 3600), dateText(noon + 12 * 3600 - 1, 365 * day)]).toEqual(
    ["2024-02-29", "2024-02-29 12:01", "2024-02-29 12:00:05", "2024-02-29"]);
  expect(dateText(1e30, day)).toBe("1.00 × 10³⁰");
});

test("the binned density is the kernel density", () => {
  const draws = sorted(Array.from({ length: 400 }, (_, i) => Math.sin(i * 12.9898) * 3 + (i % 2 ? 4 : -4)));
  const { x, y } = density(draws, -12, 12, 400);
  const width = bandwidth(draws, 0);
  for (let i = 0; i < x.length; i += 13) {
    const slow = draws.reduce((sum, d) => sum + Math.exp(-0.5 * ((x[i]! - d) / width) ** 2), 0) /
      (draws.length * width * Math.sqrt(2 * Math.PI));
    expect(Math.abs(y[i]! - slow)).toBeLessThan(2e-3);
  }
  expect(y.reduce((sum, v) => sum + v, 0) * (x[1]! - x[0]!)).toBeCloseTo(1, 2);
});

test("quantiles and chances are those of the draws", () => {
  const a = sorted([3, 1, 2, 5, 4]);
  expect([quantile(a, 0), quantile(a, 0.5), quantile(a, 0.9), quantile(a, 1)]).toEqual([1, 3, 4.6, 5]);
  const b = sorted([2, 2, 6]);
  let slow = 0;
  for (const x of a) for (const y of b) slow += x > y ? 1 : x === y ? 0.5 : 0;
  expect(chanceAbove(a, b)).toBeCloseTo(slow / 15, 12);
});

test("a slider's place and its value belong together", () => {
  const levels = [0, 0.1, 0.5, 1], quantiles = [10, 10, 20, 100];
  expect(atLevel(levels, quantiles, 0.75)).toBe(60);
  expect(levelOf(levels, quantiles, 60)).toBe(0.75);
  expect(levelOf(levels, quantiles, 1000)).toBe(1);
  expect(atLevel(levels, quantiles, 0)).toBe(10);
});

test("pasted rows are read, or refused with a reason", () => {
  const model = { targets: [{ name: "y" }], features: [
    { name: "a", type: "number" }, { name: "b, c", type: "number" }, { name: "color", type: "category" }] } as unknown as ModelFacts;
  const from = { a: 1, "b, c": 2, color: "red" };
  expect(parseRow('{"a": 5, "color": null}', model, from)).toEqual({ a: 5, "b, c": 2, color: null });
  expect(parseRow('a,"b, c",color,y\n5,NA,"blue, dark",9', model, from)).toEqual({ a: 5, "b, c": null, color: "blue, dark" });
  expect(parseRow("1.5\t2\tgreen", model, from)).toEqual({ a: 1.5, "b, c": 2, color: "green" });
  const seconds = (text: string) => parseRow(JSON.stringify({ a: text }), model, from).a;
  expect(["2024-02-29", "2024-02-29 13:30", "2024-02-29T13:30:05+01:30", "2024-02-29T13:30+01", "TRUE", "n/a"].map(seconds)).toEqual(
    [1709164800, 1709213400, 1709208005, 1709209800, 1, null]);
  for (const wrong of ["2023-02-29", "2024-02-29 24:00", "2024-13-01"]) expect(() => seconds(wrong)).toThrow(/a is a number/);
  expect(() => parseRow("", model, from)).toThrow(/nothing/);
  expect(() => parseRow('{"a": "x"}', model, from)).toThrow(/a is a number/);
  expect(() => parseRow('{"aa": 1}', model, from)).toThrow(/no feature "aa"/);
  expect(() => parseRow("1,2", model, from)).toThrow(/2 values for 3/);
  expect(() => parseRow("a\n1\n2", model, from)).toThrow(/2 rows/);
  expect(() => parseRow("{broken", model, from)).toThrow(/JSON/);
});
