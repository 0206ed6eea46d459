import type { Execution } from '@switchyard/client';
import { isPlainObject } from '@switchyard/base';
import { statusColour } from './colour';
import { inOrder, plainValue, withoutControls } from './plain-value';
import { readableTime } from './timestamps';
import { yamlText } from './structured';
import { valueAt } from './value-path';

export interface ExecutionLook {
  readonly timezone: string;
  readonly colour: boolean;
  /** Stands behind the status: how long the execution took. */
  readonly elapsed: string;
}

/** An execution for people: a line for each attribute, objects and lists as indented YAML below. */
export async function executionText(
  execution: Execution,
  attributes: readonly string[],
  look: ExecutionLook,
): Promise<string> {
  const texts = attributes.map((name) => attributeText(name, valueAt(execution, name), look));
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
  const block = (await yamlText(clean(inOrder(value)), 2)).trimEnd().replace(/^(?=.)/gm, '  ');
  return `${name}:\n${block}\n`;
}

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

const emptyAsNone = (value: unknown): unknown => (typeof value === 'object' ? undefined : value);

/** Carriage returns and control characters are dropped, so that texts of many lines can be blocks. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return withoutControls(value);
  if (Array.isArray(value)) return value.map(clean);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clean(item)]));
}
