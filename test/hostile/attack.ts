import type { Answer } from './answer';
import type { Caller } from './caller';
import type { Planted } from './planted';
import type { Target } from './target/target';

/** What an attack may use. */
export interface Setting {
  readonly target: Target;
  /** Calls as a user who is logged in; one that is still good after a restart. */
  readonly api: Caller;
  /** Calls without credentials. */
  readonly stranger: Caller;
  readonly planted: Planted;
  /** 1 for the whole attack; less for a part of it. */
  readonly scale: number;
}

/** What an attack has shown. Answers of 500 and above, ended processes, and memory are looked at for every attack. */
export interface Outcome {
  readonly problems: readonly string[];
  /** Figures worth a line in the report. */
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

/** At least one, and no more than the whole. */
export const scaled = (whole: number, scale: number, least = 1): number => Math.max(least, Math.round(whole * scale));

/** A problem for each answer that is none of those expected. */
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
/** An answer that may be missing: the server closes a connection that it has read enough of. */
export const isRefusalOrClosed = (status: number): boolean => status === 0 || isRefusal(status);

/** How many answers there are of each status. */
export function counted(answers: readonly Pick<Answer, 'status'>[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status === 0 ? 'closed' : status}`).join(', ');
}
