/** The numbers of a report, as src/report/report_json.cc writes them. */

export interface Report {
  title: string;
  version: string;
  model: { name: string; training_rows: number; networks: number; parameters: number; trees: number; calibrated: boolean; noisy: boolean };
  data: { name: string; rows: number; used: number; scored: boolean };
  samples: number;
  seed: number;
  summary: string[];
  warnings: { weight: "note" | "warn" | "bad"; text: string }[];
  features: Feature[];
  targets: Target[];
  /** Some rows as dots: one column per drawn feature, one list per target. */
  sample: { columns: (number | string | null)[][]; outcomes: number[][]; medians: number[][] };
  fans: Fan[];
  joint?: Joint;
  history: Member[];
  drift: Drift[];
  drivers: { rows: number; background: number; sets: number; exact: boolean };
}

export interface Feature {
  name: string;
  type: "number" | "category";
  low?: number;
  high?: number;
  spread?: number;
  levels?: number;
  /** The numbers are seconds since 1970. */
  dates?: boolean;
}

export interface Errors {
  mae: number;
  rmse: number;
  crps: number;
}

/** Five quantiles: 5, 25, 50, 75 and 95%. */
export type Five = [number, number, number, number, number];

export interface Target {
  name: string;
  /** Where all training rows lay, if the model still knows. */
  low?: number;
  high?: number;
  /** From the 5% to the 95% quantile of the training rows. */
  spread: number;
  best: Picked[];
  worst: Picked[];
  drivers?: { mean: Effect[]; spread: Effect[] };
  /** The rest is there when outcomes are known. */
  scores?: Errors & { nll: number; skill: number; explained: number; bias: number };
  promise?: "kept" | "narrow" | "wide" | "exact";
  references?: { quantiles: Errors & { widths: number[]; coverages: number[] }; mean: Errors };
  intervals?: { level: number; coverage: number; width: number; low: number; high: number }[];
  pit?: { shares: number[]; low: number; high: number };
  reliability?: { level: number[]; below: number[]; low: number[]; high: number[] };
  groups?: { spread: number[]; error: number[] };
  weak?: Weak[];
}

export interface Effect {
  size: number;
  direction: number;
}

export interface Weak {
  feature: string;
  words: string;
  rows: number;
  error_ratio: number;
  width_ratio: number;
  coverage: number;
  uncovered: boolean;
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
  level?: string;
  others?: boolean;
  gap?: boolean;
}

export interface Fan {
  feature: number;
  values?: number[];
  levels?: string[];
  typical: Five[][];
  slices: Slice[];
  pooled: { forecast: Five; outcome?: Five }[][];
}

export interface Joint {
  rows: { row: number; place: number; draws: number[][]; outcome?: number[] }[];
  correlation: number[];
  observed_correlation?: number[];
  energy_score?: number;
}

export interface Member {
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
  gaps: number;
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
  levels?: number;
  met?: number;
  unseen_rows?: number;
  unseen?: string[];
}

/** A target whose outcomes are known. */
export type Scored = Required<Omit<Target, "drivers">> & Pick<Target, "drivers">;
export const isScored = (target: Target): target is Scored => target.scores !== undefined;
