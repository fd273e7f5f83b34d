/** The numbers of a report, as src/report/report_json.cc writes them. */

export interface Report {
  title: string;
  version: string;
  model: { name: string; training_rows: number; networks: number; parameters: number; trees: number; parts: Parts[]; calibrated: boolean; noisy: boolean };
  data: { name: string; rows: number; used: number; scored: boolean };
  samples: number;
  seed: number;
  summary: string[];
  warnings: { weight: "note" | "warn" | "bad"; text: string }[];
  features: Feature[];
  targets: Target[];
  sample: Sample;
  /** The column that names rows, and the names by row number. */
  id?: { column: string; names: Record<string, string> };
  /** The row whose other features forecasts along a feature have. */
  base_row: number;
  other?: Other;
  fans: Fan[];
  joint?: Joint;
  history: NetworkHistory[];
  drift: Drift[];
  drivers: { rows: number; background: number; sets: number; exact: boolean };
}

/** Shares of the samples of a target that do not come from the networks; of the boosted trees, how far they move the samples. */
export interface Parts {
  forest: number;
  process: number;
  neighbours: number;
  boosted: number;
}

export interface Feature {
  name: string;
  type: "number" | "category";
  low?: number;
  high?: number;
  spread?: number;
  categories?: number;
  /** The numbers are seconds since 1970. */
  dates?: boolean;
}

/** Rows that can be opened; the first `dots` are shown as dots. One column per drawn feature, one list per target. */
export interface Sample {
  dots: number;
  rows: number[];
  columns: (number | string | null)[][];
  medians: number[][];
  low: number[][];
  high: number[][];
  /** Twenty equally likely values of each forecast. */
  points: number[][][];
  outcomes?: number[][];
  crps?: number[][];
  pit?: number[][];
}

/** A score and the ends of its 95% interval. */
export type Measured = [value: number, low: number, high: number];

export interface Scores {
  mae: Measured;
  rmse: Measured;
  crps: Measured;
  skill: Measured;
  explained: Measured;
  width?: Measured;
  coverage?: Measured;
}

export interface Paired {
  difference: Measured;
  better: number;
}

export interface Reference {
  name: string;
  scores: Scores;
  paired: Measured;
  better: number;
  widths?: number[];
  coverages?: number[];
}

/** The verdict of include/mirrorball/score.h. */
export interface Calibration {
  verdict: "calibrated" | "nearly" | "off" | "point";
  shapes: string[];
  words: string;
  title: string;
  /** The number behind the verdict. */
  evidence: string;
  largest: number;
  largest_at: number;
  bias: number;
  spread: number;
  below_median: number;
  values: number;
  ties: number;
  level: number[];
  share: number[];
  low: number[];
  high: number[];
}

export interface ScoredSlice extends Slice {
  words: string;
  crps: number;
  coverage: number;
  mass: number;
  error_ratio: number;
  width_ratio: number;
  uncovered?: boolean;
  large_errors?: boolean;
  /** At the levels 5%, 10% to 95%. */
  check: { verdict: Calibration["verdict"]; words: string; share: number[]; low: number[]; high: number[] };
  /** Places in the sample. */
  worst: number[];
}

export interface FeatureSlices {
  feature: number;
  slices: ScoredSlice[];
}

export interface Threshold {
  at: number;
  rows: number[];
  events: number[];
  probability: number[];
}

/** A second model on the same rows. */
export interface Other {
  name: string;
  training_rows: number;
  features: number;
  targets: { words: string; scores: Scores; paired: Paired; calibration: Calibration;
    slices: { rows: number; difference: number; error: number }[][] }[];
}

/** Five quantiles: 5, 25, 50, 75 and 95%. */
export type Five = [number, number, number, number, number];

/** Means over rows: the two parts of the expected CRPS, and the actual CRPS where outcomes are known. */
export interface UncertaintyMean {
  rows: number;
  aleatoric: number;
  epistemic: number;
  crps?: number;
}

/** Over all rows, and over groups of them from those where the networks agree most. */
export interface Uncertainty extends UncertaintyMean {
  groups: UncertaintyMean[];
}

export interface Target {
  name: string;
  /** Range of the training rows, if the model file stores it. */
  low?: number;
  high?: number;
  /** From the 5% to the 95% quantile of the training rows. */
  spread: number;
  /** Of its training values, if they are few. */
  decimals?: number;
  /** Of a model with several networks. */
  uncertainty?: Uncertainty;
  best: Picked[];
  worst: Picked[];
  drivers?: { mean: Effect[]; spread: Effect[]; rows?: ExplainedRows };
  /** The rest is there when outcomes are known. */
  scores?: Scores;
  nll?: number;
  bias?: number;
  calibration?: Calibration;
  references?: Reference[];
  intervals?: { level: number; coverage: number; mass: number; width: number }[];
  split?: { calibration: number; sharpness: number };
  /** Quantiles of the widths of the 90% intervals, at 0, 2.5 to 100%. */
  widths?: number[];
  pit?: { shares: number[]; low: number; high: number };
  groups?: { spread: number[]; error: number[] };
  /** Places in `slices`. */
  weak?: { feature: number; slice: number }[];
  slices?: FeatureSlices[];
  thresholds?: Threshold[];
}

export interface Effect {
  size: number;
  /** Standard error of the size. */
  error?: number;
  direction: number;
}

/** Shapley values of single rows: features x rows; and the features' values there as ranks from 0 to 1, null for a category. */
export interface ExplainedRows {
  row: number[];
  mean: number[][];
  spread: number[][];
  rank: (number | null)[][];
}

export interface Picked {
  row: number;
  median: number;
  low: number;
  high: number;
  draws: number[];
  outcome?: number;
  crps?: number;
  pit?: number;
  cells: (number | string | null)[];
}

export interface Slice {
  rows: number;
  low?: number;
  high?: number;
  middle?: number;
  category?: string;
  others?: boolean;
  missing?: boolean;
}

export interface Fan {
  feature: number;
  values?: number[];
  categories?: string[];
  typical: Five[][];
  slices: Slice[];
  /** Whether rows of the data lie near the composed rows. */
  near: number[];
  pooled: { forecast: Five; outcome?: Five; covered?: number; mass?: number }[][];
}

export interface Joint {
  rows: { row: number; place: number; draws: number[][]; outcome?: number[] }[];
  correlation: number[];
  observed_correlation?: number[];
  energy_score?: number;
  variogram_score?: number;
  ranks?: { shares: number[]; low: number; high: number };
}

export interface NetworkHistory {
  epochs: number;
  step: number;
  train: number[];
  valid: number[];
  best: number;
  refit: boolean;
}

export interface Drift {
  name: string;
  verdict: "same" | "some" | "large";
  words: string;
  missing: number;
  outside?: number;
  median?: number;
  training_median?: number;
  psi?: number;
  ks?: number;
  edges?: number[];
  expected?: number[];
  actual?: number[];
  shift?: number;
  spread_ratio?: number;
  categories?: number;
  met?: number;
  unseen_rows?: number;
  unseen?: string[];
}

/** A target whose outcomes are known. */
export type Scored = Required<Omit<Target, "drivers" | "low" | "high" | "decimals">> & Pick<Target, "drivers" | "low" | "high" | "decimals">;
export const isScored = (target: Target): target is Scored => target.scores !== undefined;

const kLongestName = 40;

/** A row by its number, or by the column that names rows: row 17, house 4711. */
export function rowName(report: Report, row: number, start: "row" | "Row" = "row"): string {
  const name = report.id?.names[row];
  return name === undefined ? `${start} ${row}` : `${report.id!.column} ${name.length > kLongestName ? `${name.slice(0, kLongestName - 1)}…` : name}`;
}

/** The cells that tell a row in a saved table. */
export const rowCells = (report: Report, row: number): Record<string, number | string> =>
  report.id ? { row, [report.id.column]: report.id.names[row] ?? "" } : { row };
