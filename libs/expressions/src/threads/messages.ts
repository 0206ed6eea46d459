import type { AllowanceLimits } from '../allowance';
import type { HostFunction } from '../evaluate/scope';
import type { RenderLimits } from '../jinja/run/budget';
import type { HostQuestion } from '../turns/evaluation';
import type { YaqlLimits } from '../yaql/run/budget';
import type { WireError } from './wire-error';

/** One evaluation, as sent to a thread. */
export interface Job {
  readonly language: 'yaql' | 'jinja' | 'template';
  readonly form: 'native' | 'text' | 'block';
  readonly source: string;
  /** The variables, for an expression that uses `$__…`, or the names that a template reads. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Functions that must be called on the host. */
  readonly functions: readonly FunctionSignature[];
  /** Whether templates read the datastore, and whether `system` is one of its names. */
  readonly reads: { readonly datastore: boolean; readonly system: boolean };
  readonly lenient: boolean;
  readonly limits: Partial<YaqlLimits> | RenderLimits | undefined;
  /** The remaining allowance of the unit of work. */
  readonly allowance: AllowanceLeft | undefined;
}

export interface FunctionSignature extends Omit<HostFunction, 'call'> {
  readonly name: string;
}

export interface AllowanceLeft {
  readonly limits: AllowanceLimits;
  readonly steps: number;
  readonly ms: number;
}

export type HostAnswer = { readonly value: unknown } | { readonly error: WireError };

export interface Outcome {
  readonly kind: 'outcome';
  readonly answer: HostAnswer | { readonly unresolved: true };
  /** The steps used. */
  readonly steps: number;
  readonly ms: number;
}

/** Messages from a thread: ready first, then questions and the outcome of each job. */
export type FromThread = Ready | Asks | Outcome;

export interface Ready {
  readonly kind: 'ready';
  /** Its system thread number, if its processor time can be read. */
  readonly thread: number | undefined;
}

export interface Asks {
  readonly kind: 'asks';
  readonly question: HostQuestion;
  /** How long the job has run so far. */
  readonly ms: number;
}
