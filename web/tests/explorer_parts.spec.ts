import { expect, test } from "@playwright/test";
import { addressOf, go, readAddress } from "../src/explorer/address";
import type { ModelFacts } from "../src/explorer/api";
import { nearOf, valuesOf } from "../src/explorer/along_panel";
import { tidy } from "../src/explorer/forecast_panel";
import { parseRow } from "../src/explorer/paste";
import { asCommand, asCurl, asPython } from "../src/explorer/snippets";
import { atLevel, levelOf, State } from "../src/explorer/state";
import { parseFilter, parseTable, sortRows, type Listed } from "../src/explorer/table";
import { changeFormat } from "../src/explorer/why_panel";
import { forecastFormat } from "../src/shared/format";

/** Parts of the explorer that need no browser. */

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
  expect(parseRow('{"a": 5, "color": null}', model, from)).toEqual({ row: { a: 5, "b, c": 2, color: null }, outcome: {} });
  expect(parseRow('a,"b, c",color,y\n5,NA,"blue, dark",9', model, from)).toEqual(
    { row: { a: 5, "b, c": null, color: "blue, dark" }, outcome: { y: 9 } }); // a target is the outcome
  expect(parseRow("1.5\t2\tgreen", model, from)).toEqual({ row: { a: 1.5, "b, c": 2, color: "green" }, outcome: {} });
  const seconds = (text: string) => parseRow(JSON.stringify({ a: text }), model, from).row.a;
  expect(["2024-02-29", "2024-02-29 13:30", "2024-02-29T13:30:05+01:30", "2024-02-29T13:30+01", "TRUE", "n/a"].map(seconds)).toEqual(
    [1709164800, 1709213400, 1709208005, 1709209800, 1, null]);
  for (const wrong of ["2023-02-29", "2024-02-29 24:00", "2024-13-01"]) expect(() => seconds(wrong)).toThrow(/a must be a number/);
  expect(() => parseRow("", model, from)).toThrow(/Paste a row/);
  expect(() => parseRow('{"a": "x"}', model, from)).toThrow(/a must be a number/);
  expect(() => parseRow('{"aa": 1}', model, from)).toThrow(/Unknown feature "aa"/);
  expect(() => parseRow("1,2", model, from)).toThrow(/2 values, but there are 3/);
  expect(() => parseRow("a\n1\n2", model, from)).toThrow(/2 rows/);
  expect(() => parseRow("{broken", model, from)).toThrow(/JSON/);
});

/** Two numbers, one of them mostly 0, a category and two targets. */
const homes = { name: "homes", targets: [{ name: "price" }, { name: "rent" }], features: [
  { name: "size", type: "number", low: 20, high: 200, typical: 100, whole: false, quantiles: [20, 22, 30, 40, 60, 80, 100, 120, 150, 170, 180, 190, 200] },
  { name: "tolls", type: "number", low: 0, high: 6.12, typical: 0, whole: false, missing: true, quantiles: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6.12] },
  { name: "rooms", type: "number", low: 1, high: 9, typical: 3, whole: true, quantiles: [1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 8, 9] },
  { name: "kind", type: "category", typical: "flat", categories: ["flat", "loft"] }] } as unknown as ModelFacts;

test("digits come from the forecast's own spread", () => {
  const forecast = (low: number, high: number, step = (high - low) / 999) =>
    forecastFormat(Float64Array.from({ length: 1000 }, (_, i) => low + step * Math.round((i * (high - low)) / 999 / step)));
  expect(forecast(6.8, 11.2)(8.04)).toBe("8.0"); // a fare, though fares run to 200: 8, 7 to 11 said less
  expect(forecast(1, 76)(9.4)).toBe("9");
  expect(forecast(2.2, 3.9)(2.634)).toBe("2.63");
  const price = forecast(149_996, 191_000);
  expect([price(164_493), price(149_996), price(187_041)]).toEqual(["164,000", "150,000", "187,000"]);
  expect(forecastFormat([150_000.5, 164_493.5, 187_041.5], "fact")(164_493)).toBe("164,493"); // an outcome is no estimate
  const tail = forecastFormat([120, 150, 900, 20_000, 40_000]);
  expect([tail(412.7), tail(1234), tail(37_641)]).toEqual(["410", "1200", "38,000"]); // a long tail does not make small quantiles 0
  expect(forecastFormat([-20_000, -20_000, 300, 20_000, 20_000])(143)).toBe("0"); // beside values of both signs it is 0
  expect([forecast(0, 12, 1)(3), forecastFormat([0, 0, 1, 1, 3, 4, 5], "mean")(2.4)]).toEqual(["3", "2.4"]); // counts
  expect(forecastFormat([2.5, 2.5, 2.5])(2.5)).toBe("2.5");
  // A count whose forecast has values between counts in its tail, and a fare in halves that is nearly sure.
  const count = forecastFormat([0, 0, 0, 1, 2.05], "value", 0);
  expect([count(0), count(2.05), forecastFormat([0, 0, 0, 1, 2.05], "mean", 0)(0.34)]).toEqual(["0", "2", "0.34"]);
  const fare = [2.9, 3, 3, 3, 3.0114];
  expect([forecastFormat(fare)(3.0114), forecastFormat(fare, "value", 1)(3.0114), forecastFormat([52, 52, 52])(52)]).toEqual(["3.011", "3.0", "52"]);
  expect([forecastFormat([9, 10, 13], "fact")(71.2), forecastFormat([9, 10.25, 13], "fact")(71)]).toEqual(["71.2", "71.0"]); // an outcome is not rounded
});

test("a change has no digit that its error leaves open, and all have the same decimals", () => {
  const text = (value: number, ...errors: number[]) => changeFormat(errors, 7, false)(value);
  expect([text(0.32, 0.2), text(-6.98, 0.01), text(-6.98123, 0), text(-6.98123), text(0.32, 0.001)]).toEqual(["+0.3", "−6.98", "−6.98", "−6.98", "+0.32"]);
  expect([text(1.89, 0.01, 0.02, 0.001), text(0.007, 0.01, 0.02, 0.001)]).toEqual(["+1.89", "+0.01"]); // the same decimals below each other
  expect(changeFormat([0.02], 0.2, true)(0.1532)).toBe("+15");
  expect(changeFormat([0.0004], 0.2, true)(0.1532)).toBe("+15.3");
});

test("an address keeps all that is chosen", () => {
  const state = new State(homes);
  go(state, { row: { size: 150, tolls: null, rooms: 3, kind: "a & b=c #1" }, pin: { size: 20, tolls: 0, rooms: 3, kind: "loft" }, outcome: { price: 4.25 },
    source: "row 3 of x.csv", targets: [1, 0], region: [[-1e-7, 2.5], [3, 3]], feature: "rooms", functions: true, of: "mean", unknown: [] });
  const again = new State(homes);
  const place = readAddress(`#${addressOf(state)}`, homes);
  go(again, place);
  expect(place.unknown).toEqual([]);
  const all = ({ row, pinned, outcome, source, view, brush, feature, functions, of }: State) => ({ row, pinned, outcome, source, view, brush, feature, functions, of });
  expect(all(again)).toEqual(all(state));
  expect(readAddress("#x.size=big&x.gone=1&region=1..x&target=none&feature=none", homes)).toMatchObject(
    { unknown: ["size", "gone"], region: null, targets: [0], feature: null, pin: null });
});

test("the same question as a command", () => {
  const state = new State(homes);
  state.setRow({ size: 150, tolls: null, rooms: 3, kind: "it's" });
  expect(asCurl(state, "http://127.0.0.1:8080/", false)).toBe(
    `curl -s --json '{"row":{"size":150,"tolls":null,"rooms":3,"kind":"it'\\''s"},"samples":1000}' \\\n  http://127.0.0.1:8080/v1/predict`);
  expect(asCommand(state)).toContain("size,tolls,rooms,kind\n150,,3,it's\nEND\nmirrorball predict 'homes.mirrorball' row.csv");
  expect(asPython(state)).toContain('"tolls": [None],');
  state.setBrush([[2, 3]]);
  expect(asCurl(state, "http://127.0.0.1:8080/", true)).toMatch(/Bearer \$MIRRORBALL_TOKEN.*"of":"region","where":"\\"price\\" >= 2 and \\"price\\" <= 3".*v1\/explain$/s);
  expect(asCommand(state)).toContain(`--of region \\\n  --where '"price" >= 2 and "price" <= 3'`);
  expect(asPython(state)).toContain('of="region", where="\\"price\\" >= 2 and \\"price\\" <= 3"');
});

test("regions keep the samples at their edges", () => {
  expect(tidy([[5.00001, 5.00001]])).toEqual([[5.00001, 5.00001]]);
  const [[low, high]] = tidy([[3.0000123, 3.9012345]]) as [[number, number]];
  expect([low, high]).toEqual([3, 3.902]);
  expect(tidy([[-0.123456, 1e6]])[0]![0]).toBeLessThanOrEqual(-0.123456);
});

test("a table is read, sorted and filtered", () => {
  const table = parseTable('\uFEFFsize;kind;note\r\n100;"a; ""b""\nc";x\r\n;loft; y \r\n\r\n20;flat;z');
  expect(table).toEqual({ header: ["size", "kind", "note"], rows: [["100", 'a; "b"\nc', "x"], ["", "loft", "y"], ["20", "flat", "z"]] });
  const rows = table.rows.map((cells, number) => ({ number, cells, median: 10 - number, low: 0, high: number + 1, mean: 0, outcome: number === 1 ? NaN : 8 }) as Listed);
  const order = (...how: Parameters<typeof sortRows> extends [unknown, ...infer R] ? R : never) => sortRows(rows, ...how).map((row) => row.number);
  expect([order("median", false), order("width", true), order("cell:0", false), order("cell:0", true), order("error", true)]).toEqual(
    [[2, 1, 0], [2, 1, 0], [2, 0, 1], [0, 2, 1], [0, 2, 1]]); // missing values last
  const matching = (text: string) => rows.filter(parseFilter(text, table.header)).map((row) => row.number);
  expect([matching("size > 50"), matching("LOFT"), matching("width >= 2 and flat"), matching("kind = loft"), matching("kind != loft"), matching("outcome < 9"), matching("")]).toEqual(
    [[0], [1], [2], [1], [0, 2], [0, 2], [0, 1, 2]]);
});

test("the fan has the row's own value, and whole numbers where there are no others", () => {
  const [size, tolls, rooms, kind] = homes.features as [ModelFacts["features"][0], ModelFacts["features"][0], ModelFacts["features"][0], ModelFacts["features"][0]];
  expect(valuesOf(size, 33.3333)).toContain(33.3333);
  expect(valuesOf(size, 500).at(-1)).toBe(500);
  expect(valuesOf(rooms, 3)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(valuesOf(tolls, 0).at(-1)).toBe(6.12); // most values are 0, and not whole numbers
  expect(valuesOf(kind, "boat")).toEqual(["boat", "flat", "loft"]);
  const found = { values: [1, 2, 3, 4, 5, 6], levels: [], quantiles: {}, nearby: [3, 0, 2, 0, 0, 4] };
  expect(nearOf(size, found)).toEqual([true, true, true, false, false, true]);
  expect(nearOf(size, { ...found, values: [10, 20, 200, 201], nearby: undefined })).toEqual([false, true, true, false]);
});
