import type { Limits } from "../shared/density";

/** The server's API, as docs/server.md describes it. */

export type Cell = number | string | null;
export type Row = Record<string, Cell>;

export interface NumberFacts {
  name: string;
  low: number;
  high: number;
  whole: boolean;
  /** Of the training values, if they are few. */
  decimals: number | null;
  quantiles: number[];
}

export interface TargetFacts extends NumberFacts {
  /** The range that samples can have. */
  limits: Limits;
}

export interface NumberFeature extends NumberFacts {
  type: "number";
  /** The numbers are seconds since 1970. */
  dates: boolean;
  typical: number;
  missing: boolean;
  /** How much the feature moves each target; missing where there are very many features. */
  effects?: number[];
}

export interface CategoryFeature {
  type: "category";
  name: string;
  typical: string | null;
  categories: string[];
  missing: boolean;
  effects?: number[];
}

export type Feature = NumberFeature | CategoryFeature;

export interface ModelFacts {
  name: string;
  /** Another model has another one. */
  id: string;
  version: string;
  targets: TargetFacts[];
  features: Feature[];
  levels: number[];
  training_rows: number;
  networks: number;
  parameters: number;
  calibrated: boolean;
  noisy: boolean;
  background: "given" | "made";
  /** Of the table that was given. */
  background_rows: number;
  limits: { rows: number; csv_rows: number; samples: number; draws: number };
}

export type Draws = Record<string, number[]>;

export interface Explanation {
  of: string;
  base: number;
  output: number;
  probability: number;
  /** With the standard error of each value; the server sends none after one background row. */
  features: { name: string; cell: string; value: number; error: number }[];
  samples: number;
  background_rows: number;
  exact: boolean;
}

export interface Functions {
  values: number[];
  functions: Record<string, number[][]>;
}

/** Quantiles along a feature: `quantiles[target][i]` at `values[i]`, one for each of `levels`. */
export interface Along {
  values: Cell[];
  levels: number[];
  quantiles: Record<string, number[][]>;
  /** Background rows near each value, and where there are none, the feature whose cell does not occur with it. */
  nearby?: number[];
  apart?: (string | null)[];
  /** Some values of the feature in the background rows. */
  rug?: number[];
}

/** What the server refused, in its own words. */
export class Refusal extends Error {
  constructor(readonly status: number, reason: string, readonly field = "", readonly hint = "") {
    super(reason);
  }
}

/** What happens to requests: news for whoever watches the connection. */
export interface Watcher {
  /** An answer of the model that the page shows. */
  answered(): void;
  /** No answer at all. */
  lost(): void;
  refusedToken(): void;
  otherModel(): void;
}

let token = "";
let watcher: Watcher | null = null;
let modelId = "";
const kTokenKey = "mirrorball-token";

/** The token, from the address (#token=…) or from this tab's earlier visit. */
export function useToken(word?: string): void {
  const address = new URLSearchParams(location.hash.slice(1));
  const fromAddress = address.get("token");
  if (fromAddress) {
    address.delete("token"); // it must not stay where others can read it
    history.replaceState(null, "", location.pathname + (address.size > 0 ? `#${address}` : ""));
  }
  token = word ?? fromAddress ?? sessionStorage.getItem(kTokenKey) ?? "";
  if (token) sessionStorage.setItem(kTokenKey, token);
}
export const hasToken = (): boolean => token !== "";

/** From now on every answer must be of this model. */
export function watch(id: string, by: Watcher): void {
  modelId = id;
  watcher = by;
}

const gone = (status: number, about: unknown): boolean => status === 502 || status === 504 || (status === 503 && !about);

function send(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token) headers.set("Authorization", `Bearer ${token}`);
  return fetch(path, { ...init, headers });
}

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await send(path, init);
  } catch (problem) {
    if (problem instanceof DOMException && problem.name === "AbortError") throw problem;
    watcher?.lost();
    throw new Refusal(0, "The server does not respond");
  }
  const id = response.headers.get("Mirrorball-Model");
  if (watcher && id && id !== modelId) {
    watcher.otherModel();
    throw new Refusal(0, "Another model answers at this address");
  }
  if (response.ok) {
    watcher?.answered();
    return response;
  }
  const about = (await response.json().catch(() => null))?.error;
  if (gone(response.status, about)) watcher?.lost();
  if (response.status === 401) watcher?.refusedToken();
  throw new Refusal(gone(response.status, about) ? 0 : response.status,
    about?.reason ?? `The server answered ${response.status}`, about?.field, about?.hint);
}

async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const response = await ask(path, {
    method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal });
  return response.json() as Promise<T>;
}

export const getModel = async (): Promise<ModelFacts> => (await ask("v1/model")).json();

/** The name of the model that is there now, whichever it is. */
export const nameNow = async (): Promise<string> => (await (await send("v1/model")).json()).name;

/** Whether the server is there, with this model and this token. */
export const probe = async (): Promise<void> => void (await ask("v1/model", { method: "HEAD" }));

export const getDraws = async (rows: Row[], samples: number): Promise<Draws[]> =>
  (await post<{ draws: Draws[] }>("v1/sample", { rows, samples })).draws;

export const getFunctions = (row: Row, vary: string, from: number, to: number, count: number): Promise<Functions> =>
  post("v1/functions", { row, vary, from, to, points: 72, count });

export const getAlong = (row: Row, vary: string, values: Cell[], samples: number): Promise<Along> =>
  post("v1/along", { row, vary, values, samples });

export const getRow = async (number: number): Promise<{ number: number; row: Row; outcome: Row }> =>
  (await ask(`v1/row?number=${number}`)).json();

export interface Question {
  row: Row;
  of: string;
  target?: string;
  where?: string;
  samples: number;
  background_rows: number;
}

export const getExplanation = (question: Question, signal: AbortSignal): Promise<Explanation> =>
  post("v1/explain", question, signal);

/** A table in, a table out. */
export const predictFile = async (file: Blob, form: string): Promise<string> =>
  (await ask(`v1/predict${form}`, { method: "POST", body: file, headers: { "Content-Type": "text/csv" } })).text();

/** A refusal or any other failure as a sentence. */
export const inWords = (error: unknown): string => {
  const reason = (error as Error).message;
  const text = `${reason}${error instanceof Refusal && error.hint ? `; ${error.hint}` : ""}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
};
