/** Numbers as a person would write them. */

const kMinus = "\u2212";
const kSuperscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Numbers of a wider range have a comma from 1,000 on. */
const kWideRange = 1000;

export function grouped(value: number, decimals: number, range = 0): string {
  const text = Math.abs(value).toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  // Four digits stand without a comma among their like: years and house numbers look right.
  const plain = Math.abs(value) < 10000 && !(range > kWideRange) ? text.replace(",", "") : text;
  return value < 0 && /[1-9]/.test(plain) ? kMinus + plain : plain;
}

function powerOfTen(value: number, significant: number): string {
  const [digits, exponent] = Math.abs(value).toExponential(significant - 1).split("e");
  const power = Number(exponent);
  const raised = (power < 0 ? "⁻" : "") + [...String(Math.abs(power))].map((d) => kSuperscripts[Number(d)]).join("");
  return `${value < 0 ? kMinus : ""}${digits} × 10${raised}`;
}

/** Decimals that show about three digits of a range: 2 for 0 to 5, 0 for 0 to 5000. */
export function decimalsFor(spread: number): number {
  if (!(spread > 0) || !Number.isFinite(spread)) return 2;
  return Math.min(12, Math.max(0, 3 - Math.ceil(Math.log10(spread))));
}

/** Formats values that live on a range of this width. */
export function formatterFor(spread: number): (value: number) => string {
  const decimals = decimalsFor(spread);
  return (value) => {
    if (!Number.isFinite(value)) return "–";
    const size = Math.abs(value);
    if (size >= 1e9) return powerOfTen(value, 3);
    if (decimals > 6 && size > 0) return powerOfTen(value, 3);
    return grouped(value, decimals, spread);
  };
}

/** Formats what is estimated, with about three digits of a range: large numbers end in zeros. */
export function estimateFormat(range: number): (value: number) => string {
  const format = formatterFor(range), step = 10 ** (Math.ceil(Math.log10(range)) - 3);
  return step > 1 && step < Infinity ? (value) => format(step * Math.round(value / step)) : format;
}

/** The least number above 0 that an estimate on this range shows. */
export const leastStep = (range: number): number => (range > 1000 ? 10 ** (Math.ceil(Math.log10(range)) - 3) : 10 ** -decimalsFor(range));

/** Formats what a forecast says, from its samples in ascending order: in steps of at most a thirtieth of its 90% interval, which is
 * what a thousand samples settle. Values have no more decimals than those of the target, `decimals`, and none where all samples are
 * whole; a mean may. Facts, such as an outcome, keep their own digits. A forecast without width has three digits of the target's `spread`. */
export function forecastFormat(ordered: ArrayLike<number>, what: "value" | "mean" | "fact" = "value", decimals: number | null | undefined = null, spread = 0): (value: number) => string {
  const at = (level: number) => ordered[Math.round(level * (ordered.length - 1))]!;
  const width = at(0.95) - at(0.05);
  if (!(width > 0)) return withoutWidth(what, decimals, spread);
  const most = what === "mean" ? Infinity : Array.prototype.every.call(ordered, Number.isInteger) ? 0 : decimals ?? Infinity;
  const range = Math.max(3 * width, 10 ** (3 - most));
  if (what === "fact") return factFormat(formatterFor(range));
  const format = estimateFormat(range), step = 10 ** (Math.ceil(Math.log10(range)) - 3);
  // Of a forecast with a long tail, the low quantiles are finer than its steps.
  const fine = (at(0.05) >= 0 || at(0.95) <= 0) && step > 10 ** -most;
  const few = (value: number) => plainNumber(Number(Number(value.toPrecision(2)).toFixed(Math.min(most, 20))));
  return (value) => (fine && value !== 0 && Math.abs(value) < 5 * step ? few(value) : format(value));
}

function withoutWidth(what: "value" | "mean" | "fact", decimals: number | null | undefined, spread: number): (value: number) => string {
  if (what === "mean") return (value) => plainNumber(Number(value.toPrecision(3)), spread);
  if (!(spread > 0)) return plainNumber;
  const format = formatterFor(Math.max(spread, 10 ** (3 - (decimals ?? Infinity))));
  return what === "fact" ? factFormat(format) : format;
}

const decimalsIn = (text: string) => (text.split(".")[1] ?? "").length;

/** A fact has as many decimals as what it is compared with, and its own ones. */
const factFormat = (format: (value: number) => string) => (value: number): string =>
  decimalsIn(plainNumber(value)) > decimalsIn(format(value)) ? plainNumber(value) : format(value);

/** Formats what a forecast says from its five quantiles alone. */
export const forecastFormatOf = ({ low, median, high }: { low: number; median: number; high: number }, what: "value" | "fact" = "value", decimals: number | null | undefined = null, spread = 0): ((value: number) => string) =>
  forecastFormat([low, low, median, high, high], what, decimals, spread);

/** The ends of a range, to three digits of it and without zeros at the end: "−0.3 to 7.7". */
export function rangeText(low: number, high: number): string {
  const format = formatterFor(high - low);
  const text = (value: number) => trimmed(format(value));
  return `${text(low)} to ${text(high)}`;
}

/** A number on its own, or among others that lie on this range, to three or four digits. */
export function plainNumber(value: number, range = 0): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e9 || size < 1e-4)) return powerOfTen(value, 3);
  if (size >= 1000) return grouped(value, 0, range);
  const decimals = size === 0 ? 0 : Math.max(0, 3 - Math.floor(Math.log10(size)));
  return trimmed(grouped(Number(value.toFixed(decimals)), decimals));
}

/** A whole number with all of its digits, as a key or a number of pieces needs them. */
export const wholeNumber = (value: number, range = 0): string => (Math.abs(value) < 1e15 ? grouped(value, 0, range) : plainNumber(value));

/** Whole numbers that lie close together and far from 0 are names, such as postcodes and keys: without commas. */
export const areNames = (low: number, high: number): boolean => low >= 10000 && high - low < low;

/** A decimal number without zeros at its end. */
export const trimmed = (text: string): string => text.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");

const kDay = 86400;
const kFirstYear = -62135596800, kLastYear = 253402300800; // when the years 1 and 10000 begin

/** Whether dates that run over so many seconds are told by the day. */
export const byTheDay = (span: number): boolean => span >= 60 * kDay;

/** Seconds since 1970 as a date, as fine as a span of so many seconds needs it. Tables keep 24 bits: see src/table/instant.cc. */
export function dateText(seconds: number, span: number): string {
  const scale = Math.max(Math.abs(seconds), span), minutes = span >= kDay;
  const exact = byTheDay(span) ? seconds + (scale >= 2 ** 31 ? scale * 2 ** -24 : 0)
    : minutes ? 60 * Math.round(seconds / 60) : Math.round(seconds);
  if (!(exact >= kFirstYear && exact < kLastYear)) return plainNumber(seconds);
  const [day, time] = new Date(1000 * exact).toISOString().split("T") as [string, string];
  return byTheDay(span) ? day : `${day} ${time.slice(0, minutes ? 5 : 8)}`;
}

/** Numbers on an axis: without zeros at the end, and with all digits that tell neighbours apart. */
export function ticksFor(domain: [number, number]): (value: number) => string {
  const spread = domain[1] - domain[0];
  const far = Math.max(Math.abs(domain[0]), Math.abs(domain[1]));
  return spread < 0.01 * far ? formatterFor(spread) : (value) => plainNumber(Math.abs(value) < spread * 1e-9 ? 0 : value, spread);
}

const kDigitRoom = 7.2, kBetween = 14; // pixels that a character takes, and between two numbers
const kMostTicks = 10;

/** Round numbers for an axis of this width: as many as stand beside each other, and two at least. None has more than `decimals`. */
export function roundTicks([low, high]: [number, number], width: number, format = ticksFor([low, high]), decimals: number | null | undefined = null): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const multiples = (step: number): number[] => {
    const first = Math.ceil(low / step - 1e-9);
    return Array.from({ length: Math.max(0, Math.floor(high / step + 1e-9) - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
  };
  const fit = (made: number[], step: number): boolean =>
    made.length <= kMostTicks && (step / span) * width >= kBetween + kDigitRoom * Math.max(0, ...made.map((value) => format(value).length));
  let finer: number[] = [], last = 0;
  for (let power = Math.max(Math.floor(Math.log10(span / kMostTicks)), -(decimals ?? Infinity)); ; ++power)
    for (const digit of [1, 2, 5]) {
      const step = digit * 10 ** power, made = multiples(step);
      if (made.length === 2 || (made.length > 2 && fit(made, step))) return made;
      if (made.length < 2) { // one number is no axis: of those that stand too close every other one, or the outermost two
        const even = multiples(2 * last);
        return even.length === 2 || (even.length > 2 && fit(even, 2 * last)) ? even : finer.length > 1 ? [finer[0]!, finer.at(-1)!] : made;
      }
      [finer, last] = [made, step];
    }
}

/** A change: with its sign. */
export function signed(text: string): string {
  return text.startsWith(kMinus) || !/[1-9]/.test(text) ? text : `+${text}`;
}

/** A share of 1: "31%", "0.4%", "less than 0.1%". */
export function percent(share: number): string {
  if (!Number.isFinite(share)) return "–";
  const value = share * 100;
  if (value < 0) return kMinus + percent(-share);
  if (value === 0) return "0%";
  if (value < 0.1) return "<0.1%";
  if (value > 99.9 && value < 100) return ">99.9%";
  const decimals = value < 9.95 || (value > 80 && value < 100) ? 1 : 0;
  return `${value.toFixed(decimals).replace(/\.0$/, "")}%`;
}

/** A gain or a loss as a share of what it is compared with: "81%", and "4.2%" where it is small. */
export function percentChange(share: number): string {
  const value = Math.abs(share * 100);
  return value < 9.95 || (value >= 99.5 && value < 100) ? percent(share) : `${grouped(share * 100, 0)}%`;
}

/** Shares that stand side by side: whole percents, and one decimal where all are small. */
export function percentsAlike(shares: number[]): (share: number) => string {
  const small = Math.max(...shares) < 0.0995;
  return (share) => (share > 0 && share < (small ? 0.0005 : 0.005) ? (small ? "<0.1%" : "<1%") : share > 0.995 && share < 1 ? percent(share) : `${grouped(100 * share, small ? 1 : 0)}%`);
}

/** With one decimal, as shares beside what is expected need it: "90.0%". */
export const percentWithDecimal = (share: number): string =>
  Number.isFinite(share) ? `${grouped(share * 100, 1)}%` : "–";

/** A change of a share, in points of a hundred: "+4.2 points". */
export function points(change: number): string {
  const value = change * 100;
  const text = grouped(value, Math.abs(value) < 9.95 ? 1 : 0);
  return signed(text);
}

/** Changes of a share in points of a hundred, in steps of this share: no digit finer than it. */
export function pointsFormat(step: number): (change: number) => string {
  const decimals = Math.max(0, Math.min(3, -Math.floor(Math.log10(step * 100 || 1))));
  return (change) => signed(grouped(change * 100, decimals));
}

/** "a, b and c", of those that are there. */
export function listed(all: (string | false | null | undefined)[]): string {
  const there = all.filter((one): one is string => !!one);
  return there.length < 2 ? there.join() : `${there.slice(0, -1).join(", ")} and ${there.at(-1)}`;
}

/** "1 row", "1,234 rows". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}
