import type { Execution } from '@switchyard/client';
import { isPlainObject, SECOND_MS } from '@switchyard/base';
import { isTerminal, type Status } from '@switchyard/model';
import { plainValue, readableTime, sortedDeep, statusColour, withoutControls } from './plain-value';
import { yamlText } from './structured';
import { valueAtPath } from './value-path';

export interface ExecutionLook {
  readonly timezone: string;
  readonly colour: boolean;
  /** Shown after the status: how long the execution took. */
  readonly elapsed: string;
}

/** An execution for people: one line for each attribute, with objects and lists as indented YAML below. */
export async function executionText(
  execution: Execution,
  attributes: readonly string[],
  look: ExecutionLook,
): Promise<string> {
  const texts = attributes.map((name) => attributeText(name, valueAtPath(execution, name), look));
  return (await Promise.all(texts)).join('');
}

async function attributeText(name: string, value: unknown, look: ExecutionLook): Promise<string> {
  if (name === 'status' && typeof value === 'string') {
    const text = `${value}${look.elapsed}`;
    return `status: ${look.colour ? statusColour(text, value) : text}\n`;
  }
  if (name.endsWith('_timestamp') && typeof value === 'string')
    return `${name}: ${readableTime(value, look.timezone)}\n`;
  if (!isFilled(value)) return `${name}: ${withoutControls(plainValue(emptyAsNone(value)))}\n`;
  const block = (await yamlText(clean(sortedDeep(value)), 2)).trimEnd().replace(/^(?=.)/gm, '  ');
  return `${name}:\n${block}\n`;
}

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

const emptyAsNone = (value: unknown): unknown => (typeof value === 'object' ? undefined : value);

/** Removes carriage returns and control characters, so that long texts can be YAML blocks. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return withoutControls(value);
  if (Array.isArray(value)) return value.map(clean);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clean(item)]));
}

/** ` (3s elapsed)` for an execution that runs or has ended, else nothing. */
export function elapsedNote(
  {
    status,
    start_timestamp: start,
    end_timestamp: end,
  }: { status: Status; start_timestamp?: string; end_timestamp?: string },
  now: number = Date.now(),
): string {
  if (start === undefined || (status !== 'running' && !isTerminal(status))) return '';
  const until = end === undefined ? now : Date.parse(end);
  return ` (${Math.max(0, Math.floor((until - Date.parse(start)) / SECOND_MS))}s elapsed)`;
}
