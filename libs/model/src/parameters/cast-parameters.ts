import { fault, messageOf } from '@switchyard/base';
import { MASK } from '../masking/mask';
import type { ParameterDefinitions } from '../resources/action';
import { pythonStr, pythonTypeName } from '../schema';
import { castTo } from './casts';

/** The marker that the filter `use_none` leaves in a text for null. */
export const NONE_TEXT = '%*****__%NONE%__*****%';

/**
 * Casts values to the types in their definitions. Null, and values without a definition or type, stay unchanged. Runs before
 * validation, so that `"5"` is accepted for an integer.
 * @throws fault `parameter.cast` or `parameter.not-text` (400) that names the parameter; secret values are masked
 */
export function castParameters(
  values: Readonly<Record<string, unknown>>,
  definitions: ParameterDefinitions,
): Record<string, unknown> {
  const cast = { ...values };
  for (const name of Object.keys(values)) {
    const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    const value = castOne(name, values[name], definition ?? {});
    if (value !== values[name]) cast[name] = value;
  }
  return cast;
}

function castOne(name: string, value: unknown, definition: ParameterDefinitions[string]): unknown {
  const { type } = definition;
  if (value === NONE_TEXT) return null;
  if (value === null || value === undefined || typeof type !== 'string') return value;
  const shown = definition.secret === true ? MASK : pythonStr(value);
  if (type === 'string') {
    if (typeof value === 'string') return value;
    throw fault('parameter.not-text', { value: shown, type: pythonTypeName(value), name });
  }
  try {
    return castTo(type, value);
  } catch (thrown) {
    const cause = definition.secret === true ? 'not a value of that type' : messageOf(thrown);
    throw fault(
      'parameter.cast',
      { value: shown, valueType: pythonTypeName(value), name, type, cause },
      { cause: thrown },
    );
  }
}
