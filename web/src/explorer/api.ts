/** The server's API, as docs/server.md describes it. */

export type Cell = number | string | null;
export type Row = Record<string, Cell>;

export interface NumberFacts {
  name: string;
  low: number;
  high: number;
  whole: boolean;
  quantiles: number[];
}

export interface NumberFeature extends NumberFacts {
  type: "number";
  /** The numbers are seconds since 1970. */
  dates: boolean;
  typical: number;
  gaps: boolean;
}

export interface CategoryFeature {
  type: "category";
  name: string;
  typical: string | null;
  levels: string[];
  gaps: boolean;
}

export type Feature = NumberFeature | CategoryFeature;

export interface ModelFacts {
  name: string;
  version: string;
  targets: NumberFacts[];
  features: Feature[];
  levels: number[];
  training_rows: number;
  networks: number;
  parameters: number;
  calibrated: boolean;
  noisy: boolean;
  background: "given" | "made";
  limits: { rows: number; csv_rows: number; samples: number; draws: number };
}

export type Draws = Record<string, number[]>;

export interface Explanation {
  of: string;
  base: number;
  output: number;
  probability: number;
  features: { name: string; cell: string; value: number }[];
  samples: number;
  background_rows: number;
  exact: boolean;
}

export interface Functions {
  values: number[];
  functions: Record<string, number[][]>;
}

/** What the server refused, in its own words. */
export class Refusal extends Error {
  constructor(readonly status: number, reason: string, readonly field = "", readonly hint = "") {
    super(reason);
  }
}

let token = "";
const kTokenKey = "mirrorball-token";

/** The token, from the address (#token=…) or from this tab's earlier visit. */
export function useToken(word?: string): void {
  const fromAddress = new URLSearchParams(location.hash.slice(1)).get("token");
  if (fromAddress) history.replaceState(null, "", location.pathname);
  token = word ?? fromAddress ?? sessionStorage.getItem(kTokenKey) ?? "";
  if (token) sessionStorage.setItem(kTokenKey, token);
}

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token) headers.set("Authorization", `Bearer ${token}`);
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers });
  } catch (problem) {
    if (problem instanceof DOMException && problem.name === "AbortError") throw problem;
    throw new Refusal(0, "The server does not answer", "", "look whether it still runs");
  }
  if (response.ok) return response;
  const about = (await response.json().catch(() => null))?.error;
  throw new Refusal(response.status, about?.reason ?? `The server answered ${response.status}`, about?.field, about?.hint);
}

async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const response = await ask(path, {
    method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal });
  return response.json() as Promise<T>;
}

export const getModel = async (): Promise<ModelFacts> => (await ask("v1/model")).json();

export const getDraws = async (row: Row, samples: number): Promise<Draws> =>
  (await post<{ draws: Draws[] }>("v1/sample", { row, samples })).draws[0]!;

export const getFunctions = (row: Row, vary: string, from: number, to: number, count: number): Promise<Functions> =>
  post("v1/functions", { row, vary, from, to, points: 72, count });

export interface Question {
  row: Row;
  of: string;
  target?: string;
  where?: string;
  samples: number;
  background_rows: number;
  coalitions?: number;
}

export const getExplanation = (question: Question, signal: AbortSignal): Promise<Explanation> =>
  post("v1/explain", question, signal);

/** A table in, a table out. */
export const predictFile = async (file: Blob, form: string): Promise<Blob> =>
  (await ask(`v1/predict${form}`, { method: "POST", body: file, headers: { "Content-Type": "text/csv" } })).blob();
