import { fault, isPlainObject, SECOND_MICROS, type Id, type Micros } from '@switchyard/base';
import { pythonRepr } from '../schema/python-repr';

/** How several matches of a rule lead to one run of its action. `groupBy` is a template over the payload. */
export type Correlation = Throttle | Debounce | Accumulate;

/** At most `count` matches within any `windowMicros` run the action; the others are dropped. */
export interface Throttle {
  readonly name: 'throttle' | 'once_within';
  readonly count: number;
  readonly windowMicros: Micros;
  readonly groupBy?: string;
}

/** Of matches less than `quietMicros` apart, the last one runs the action, `quietMicros` after it occurred. */
export interface Debounce {
  readonly name: 'debounce';
  readonly quietMicros: Micros;
  readonly groupBy?: string;
}

/** The action runs once `count` matches have occurred within `windowMicros`, with all of them. */
export interface Accumulate {
  readonly name: 'accumulate';
  readonly count: number;
  readonly windowMicros: Micros;
  readonly groupBy?: string;
}

/** The maximum number of matches that a state remembers. */
const MOST = 1000;
const LONGEST_SECONDS = 31 * 24 * 60 * 60;

type Fields = Readonly<Record<string, unknown>>;

interface Form {
  readonly fields: readonly string[];
  readonly read: (fields: Fields) => Correlation;
}

const forms: Readonly<Record<string, Form>> = {
  throttle: {
    fields: ['count', 'seconds'],
    read: (fields) => ({ name: 'throttle', count: count(fields), windowMicros: time(fields, 'seconds') }),
  },
  once_within: {
    fields: ['seconds'],
    read: (fields) => ({ name: 'once_within', count: 1, windowMicros: time(fields, 'seconds') }),
  },
  debounce: {
    fields: ['seconds'],
    read: (fields) => ({ name: 'debounce', quietMicros: time(fields, 'seconds') }),
  },
  accumulate: {
    fields: ['count', 'within_seconds'],
    read: (fields) => ({ name: 'accumulate', count: count(fields), windowMicros: time(fields, 'within_seconds') }),
  },
};

/**
 * Parses the `correlation` of a rule, such as `{throttle: {count: 3, seconds: 60, group_by: '{{ trigger.host }}'}}`.
 * @returns undefined if there is none
 * @throws fault `rule.correlation`
 */
export function parseCorrelation(written: unknown): Correlation | undefined {
  if (written === undefined || written === null) return undefined;
  const known = `one of ${Object.keys(forms).join(', ')}`;
  if (!isPlainObject(written)) throw wrong(`expected an object with ${known}`);
  const [name, ...others] = Object.keys(written);
  if (name === undefined) return undefined;
  const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
  if (!form || others.length > 0) throw wrong(`expected ${known}, got ${Object.keys(written).join(', ')}`);
  const fields = written[name];
  if (!isPlainObject(fields)) throw wrong(`${name} has to be an object with ${form.fields.join(' and ')}`);
  const unknown = Object.keys(fields).find((field) => field !== 'group_by' && !form.fields.includes(field));
  if (unknown !== undefined) throw wrong(`${name} has no field ${unknown}`);
  return { ...form.read(fields), ...groupBy(fields) };
}

function count({ count: value }: Fields): number {
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MOST) return Number(value);
  throw wrong(`count has to be a whole number from 1 to ${MOST}, got ${pythonRepr(value ?? null)}`);
}

function time(fields: Fields, name: string): Micros {
  const seconds = fields[name];
  if (typeof seconds === 'number' && seconds > 0 && seconds <= LONGEST_SECONDS)
    return Math.max(1, Math.round(seconds * SECOND_MICROS));
  throw wrong(`${name} has to be a number above 0 and up to ${LONGEST_SECONDS}, got ${pythonRepr(seconds ?? null)}`);
}

function groupBy({ group_by: text }: Fields): { groupBy?: string } {
  if (text === undefined || text === null) return {};
  if (typeof text === 'string') return { groupBy: text };
  throw wrong(`group_by has to be a text, got ${pythonRepr(text)}`);
}

const wrong = (reason: string): Error => fault('rule.correlation', { reason });

/** A match: its trigger instance, and the time at which that occurred. */
export interface CorrelatedEvent {
  readonly instance: Id;
  readonly at: Micros;
}

/** A match that runs the action later, unless another match replaces it. */
export interface PendingEvent extends CorrelatedEvent {
  /** When it runs, or when another engine runs it because the engine that took it did not. */
  readonly due: Micros;
  /** True when it is about to run and can no longer be replaced. */
  readonly taken?: boolean;
}

/** Matches that ran the action together. */
export interface CorrelationBatch {
  /** The match that completed the batch. */
  readonly by: Id;
  readonly members: readonly CorrelatedEvent[];
}

/** The state of the matches of one rule in one group. */
export interface CorrelationState {
  /** Throttle: matches that ran the action; accumulate: collected matches. Oldest first. */
  readonly entries: readonly CorrelatedEvent[];
  /** Accumulate: the last complete batches. */
  readonly batches: readonly CorrelationBatch[];
  /** Debounce: matches that wait for their time, oldest first. */
  readonly pending: readonly PendingEvent[];
  /** The latest time of forgotten or settled matches: matches up to this time were already decided. */
  readonly floor: Micros;
}

export const NO_STATE: CorrelationState = { entries: [], batches: [], pending: [], floor: -1 };

/** The decision about a match. */
export interface Decision {
  /** The same object if nothing changes. */
  readonly state: CorrelationState;
  /** True: the action runs for this match now. */
  readonly run: boolean;
  /** Accumulate: the trigger instances for the run, oldest first. */
  readonly members?: readonly Id[];
}

/** By time, then by id within one microsecond. */
export const inEventOrder = (a: CorrelatedEvent, b: CorrelatedEvent): number =>
  a.at - b.at || (a.instance < b.instance ? -1 : a.instance > b.instance ? 1 : 0);
