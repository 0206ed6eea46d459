import { fault, isPlainObject, SECOND_MICROS, type Micros } from '@switchyard/base';
import { pythonRepr } from '../../schema/python-repr';

/** How matches of a rule are put together before its action runs. `groupBy` is a template over the payload. */
export type Correlation = Throttle | Debounce | Accumulate;

/** At most `count` matches within any `windowMicros` run the action; the others are dropped. */
export interface Throttle {
  readonly name: 'throttle' | 'once_within';
  readonly count: number;
  readonly windowMicros: Micros;
  readonly groupBy?: string;
}

/** Of matches that follow each other by less than `quietMicros`, the last one runs the action, that long after it came. */
export interface Debounce {
  readonly name: 'debounce';
  readonly quietMicros: Micros;
  readonly groupBy?: string;
}

/** The action runs once `count` matches have come within `windowMicros`, on all of them. */
export interface Accumulate {
  readonly name: 'accumulate';
  readonly count: number;
  readonly windowMicros: Micros;
  readonly groupBy?: string;
}

/** The most matches that one state has to remember. */
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
 * Reads the `correlation` of a rule, such as `{throttle: {count: 3, seconds: 60, group_by: '{{ trigger.host }}'}}`.
 * @returns undefined when there is none
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
