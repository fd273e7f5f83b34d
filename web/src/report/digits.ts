import { estimateFormat, forecastFormatOf, formatterFor } from "../shared/format";
import type { Target } from "./data";

/** Digits of what the report says of a target. */

/** As in the explorer, by the forecast's own spread. */
export const rowFormat = (target: Pick<Target, "decimals" | "spread">, one: { low: number; median: number; high: number }, what: "value" | "fact" = "value"): ((value: number) => string) =>
  forecastFormatOf(one, what, target.decimals, target.spread);

/** Values of a target, such as thresholds: to three digits of its spread and no more decimals than it has. */
export const valueFormat = (target: Pick<Target, "spread" | "decimals">): ((value: number) => string) =>
  formatterFor(Math.max(target.spread, 10 ** (3 - (target.decimals ?? Infinity))));

/** Scores, widths and other errors of a target, which are smaller than its spread. */
export const errorFormat = (target: Pick<Target, "spread">): ((value: number) => string) => estimateFormat(target.spread / 10);

/** Errors of single rows, of which the worst are far larger than the mean. */
export const rowErrorFormat = (target: Pick<Target, "spread">, errors: number[]): ((value: number) => string) =>
  estimateFormat(Math.max(target.spread / 10, ...errors));
