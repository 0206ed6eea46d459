import { fault } from '@switchyard/base';
import type { QueryParameter, QueryParameters } from './query-parameter';
import type { QueryTexts } from './request-target';

type Value = boolean | number | string | string[];
type Reader = (text: string, name: string, parameter: QueryParameter) => Value | undefined;

/** Compiles a declaration into a function that reads exactly the declared parameters. */
export function queryReader(declared: QueryParameters = {}): (texts: QueryTexts) => Record<string, Value | undefined> {
  const entries = Object.entries(declared);
  return (texts) => {
    const values: Record<string, Value | undefined> = {};
    for (const [name, parameter] of entries) values[name] = readParameter(texts[name], name, parameter);
    return values;
  };
}

function readParameter(text: string | undefined, name: string, parameter: QueryParameter): Value | undefined {
  const argument = parameter.argument ?? name;
  const value = text === undefined ? undefined : readers[parameter.type](text, argument, parameter);
  if (value !== undefined) return checked(value, argument, parameter);
  if (parameter.required) throw fault('request.parameter-missing', { name: argument });
  return parameter.default as Value | undefined;
}

const TRUE = new Set(['true', '1', 'yes', 'y']);
const FALSE = new Set(['false', '0', 'no', 'n']);

const readers: Readonly<Record<QueryParameter['type'], Reader>> = {
  boolean(text, name) {
    const lower = text.toLowerCase();
    if (TRUE.has(lower)) return true;
    if (FALSE.has(lower)) return false;
    throw fault('request.parameter-type', { name, type: 'boolean' });
  },
  integer(text, name) {
    if (/^-?[0-9]+$/.test(text)) return Number(text);
    throw fault('request.parameter-type', { name, type: 'integer' });
  },
  number(text, name) {
    if (/^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i.test(text)) return Number(text);
    throw fault('request.parameter-type', { name, type: 'float' });
  },
  // The web console sends empty filters for "any".
  string: (text) => (text === '' ? undefined : text),
  list: (text) => text.split(','),
};

function checked(
  value: Value,
  name: string,
  { enum: choices, minimum, maximum, maximumLength }: QueryParameter,
): Value {
  if (typeof value === 'number') {
    if (minimum !== undefined && value < minimum) throw fault('request.parameter-minimum', { name, minimum, value });
    if (maximum !== undefined && value > maximum) throw fault('request.parameter-maximum', { name, maximum, value });
  } else if (typeof value !== 'boolean') {
    if (maximumLength !== undefined && value.length > maximumLength) {
      throw fault('request.parameter-length', { name, maximum: maximumLength });
    }
    const wrong = choices && [value].flat().find((item) => !choices.includes(item));
    if (wrong !== undefined) {
      throw fault('request.parameter-choice', { name, choices: (choices ?? []).join(', '), value: wrong });
    }
  }
  return value;
}
