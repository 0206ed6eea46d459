import { getAttribute, getItem } from '../values/attributes';
import { JinjaError } from '../values/jinja-error';
import { repr, toText } from '../values/text';
import { formatSpec } from './spec';
import type { Named } from '../run/operation';
import type { Run } from '../run/run';

const FIELD = /^([^.[!:]*)((?:\.[^.[!:]+|\[[^\]]*\])*)(?:!([rsa]))?(?::([\s\S]*))?$/;

/** Python's `text.format(…)`: `{}`, `{0}`, `{name.field[key]!r:>8}`, doubled braces. */
export function formatBraces(text: string, args: readonly unknown[], named: Named, run: Run): string {
  let automatic = 0;
  const lookUp = (name: string): unknown => {
    if (name !== '' && !/^\d+$/.test(name)) return Object.hasOwn(named, name) ? named[name] : noKey(name);
    const index = name === '' ? automatic++ : Number(name);
    return index < args.length ? args[index] : noIndex(index);
  };
  const result = splitFields(text).map((part) =>
    typeof part === 'string' ? part : formatField(part.field, lookUp, run),
  );
  run.budget.produce(result.reduce((sum, part) => sum + part.length, 0));
  return result.join('');
}

function noKey(name: string): never {
  throw new JinjaError('KeyError', repr(name));
}

function noIndex(index: number): never {
  throw new JinjaError('IndexError', `Replacement index ${index} out of range for positional args tuple`);
}

/** Literal parts and fields; a field may hold further braces in its format. */
function splitFields(text: string): (string | { readonly field: string })[] {
  const parts: (string | { readonly field: string })[] = [];
  for (const [part] of text.matchAll(/\{\{|\}\}|\{(?:[^{}]|\{[^{}]*\})*\}|[^{}]+|[{}]/g)) {
    if (part === '{' || part === '}')
      throw new JinjaError('ValueError', `Single '${part}' encountered in format string`);
    if (part === '{{' || part === '}}') parts.push(part.slice(1));
    else parts.push(part.startsWith('{') ? { field: part.slice(1, -1) } : part);
  }
  return parts;
}

function formatField(field: string, lookUp: (name: string) => unknown, run: Run): string {
  const found = FIELD.exec(field);
  if (found === null) throw new JinjaError('ValueError', `Invalid format field '${field}'`);
  const [, name = '', path = '', conversion, spec = ''] = found;
  let value = lookUp(name);
  for (const [step] of path.matchAll(/\.[^.[]+|\[[^\]]*\]/g)) {
    const key = step.startsWith('.') ? step.slice(1) : step.slice(1, -1);
    value = step.startsWith('.')
      ? getAttribute(value, key, run)
      : getItem(value, /^\d+$/.test(key) ? Number(key) : key, run);
  }
  if (conversion !== undefined) value = conversion === 's' ? toText(value) : repr(value);
  const inner = spec.replace(/\{([^{}]*)\}/g, (_all: string, each: string) => toText(lookUp(each)));
  return formatSpec(value, inner, run);
}
