import type { AllowanceLimits } from '../allowance';
import type { HostFunction } from '../evaluate/scope';
import type { Limits } from '../jinja/run/budget';
import type { Question } from '../turns/evaluation';
import type { YaqlLimits } from '../yaql/run/budget';
import type { WireError } from './wire-error';

/** One evaluation, as a thread gets it. */
export interface Job {
  readonly language: 'yaql' | 'jinja' | 'template';
  readonly form: 'native' | 'text' | 'block';
  readonly source: string;
  /** The variables of an expression that reads them by `$__…`, or the names that a template reads. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Functions that the host has to be asked for. */
  readonly functions: readonly Signature[];
  /** Whether templates read the datastore, and whether they do so by the name `system` as well. */
  readonly reads: { readonly datastore: boolean; readonly system: boolean };
  readonly lenient: boolean;
  readonly limits: Partial<YaqlLimits> | Limits | undefined;
  /** What is left of the allowance of the piece of work. */
  readonly allowance: AllowanceLeft | undefined;
}

export interface Signature extends Omit<HostFunction, 'call'> {
  readonly name: string;
}

export interface AllowanceLeft {
  readonly limits: AllowanceLimits;
  readonly steps: number;
  readonly ms: number;
}

export type Answer = { readonly value: unknown } | { readonly error: WireError };

export interface Outcome {
  readonly kind: 'outcome';
  readonly answer: Answer | { readonly unresolved: true };
  /** What it has cost. */
  readonly steps: number;
  readonly ms: number;
}

/** What comes from a thread: first that it is ready, then questions and the outcome of a job. */
export type FromThread = { readonly kind: 'ready' } | Asks | Outcome;

export interface Asks {
  readonly kind: 'asks';
  readonly question: Question;
  /** For how long the job has been worked on. */
  readonly ms: number;
}
