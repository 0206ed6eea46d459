import type { Answer } from './answer';
import type { Caller } from './caller';
import type { Planted } from './planted';
import type { Target } from './target/target';

/** The abilities that an attack can use. */
export interface Setting {
  readonly target: Target;
  /** Calls as a logged-in user; the login survives a restart. */
  readonly api: Caller;
  /** Calls without credentials. */
  readonly stranger: Caller;
  readonly planted: Planted;
  /** 1 for the whole attack, less for a part of it. */
  readonly scale: number;
}

/** The result of an attack. Responses of 500 and above, ended processes and memory are checked for every attack. */
export interface Outcome {
  readonly problems: readonly string[];
  /** Figures for the report. */
  readonly note?: string;
}

export interface Attack {
  readonly name: string;
  readonly does: string;
  readonly expects: string;
  /** The attack restarts processes itself. */
  readonly restarts?: true;
  run(setting: Setting): Promise<Outcome>;
}

/** A text of this length just fits into a request body. */
export const ACCEPTED_BYTES = 4_100_000;
/** A text of this length does not. */
export const REFUSED_BYTES = 15_000_000;

/** At least one, and at most the whole. */
export const scaled = (whole: number, scale: number, least = 1): number => Math.max(least, Math.round(whole * scale));

/** One problem per unexpected response. */
export const unlike = (what: string, answers: readonly Answer[], expected: (status: number) => boolean): string[] => {
  const others = answers.filter(({ status }) => !expected(status));
  const [first] = others;
  if (!first) return [];
  const shown = first.text.slice(0, 200) || (first.failure ?? '');
  return [
    `${what}: ${others.length} of ${answers.length} answers were unexpected, the first ${first.status}: ${shown}`,
  ];
};

export const isRefusal = (status: number): boolean => status >= 400 && status < 500;
export const isOk = (status: number): boolean => status >= 200 && status < 300;
/** A response that may be missing, since the server can close a connection before it has read everything. */
export const isRefusalOrClosed = (status: number): boolean => status === 0 || isRefusal(status);

/** The number of responses by status. */
export function counted(answers: readonly Pick<Answer, 'status'>[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status === 0 ? 'closed' : status}`).join(', ');
}
