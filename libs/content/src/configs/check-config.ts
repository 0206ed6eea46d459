import { isPlainObject } from '@switchyard/base';
import { isTemplate } from '@switchyard/expressions';
import { compileSchema, extractSecrets, MASK, pythonRepr, type Schema, type SchemaViolation } from '@switchyard/model';
import { issue, type FieldPath, type Issue } from '../check/issue';
import { openToTemplates } from './config-schema';

/**
 * Checks the values of a configuration. Attributes unknown to the schema are allowed. Messages never contain secrets.
 * @param attributes the schemas of the attributes, by name
 */
export function checkConfig(values: Record<string, unknown>, attributes: Record<string, unknown>): Issue[] {
  const schema = { type: 'object', properties: attributes };
  const outcome = compileSchema(openToTemplates(values, schema), { allowNone: true }).check(values);
  if (outcome.ok) return decryptions(outcome.value, schema);
  const { path } = outcome.violation;
  return [issue(path, discreet(outcome.violation, values, schema))];
}

const NO_DECRYPTION =
  'Values specified as "secret: True" in config schema are automatically decrypted by default. Use of "decrypt_kv" jinja ' +
  'filter is not allowed for such values. Please check the specified values in the config or the default values in the schema.';

/** Secret values are decrypted automatically, so decrypting them again in a template would fail. */
function decryptions(values: unknown, schema: Schema): Issue[] {
  return extractSecrets(values, schema)
    .secrets.filter(({ value }) => isTemplate(value) && JSON.stringify(value).includes('decrypt_kv'))
    .map(({ path }) => issue(path, NO_DECRYPTION));
}

/** Masks secrets in a message: it may quote a value that contains secrets, or that is a secret in the wrong place. */
function discreet({ path, message }: SchemaViolation, values: Record<string, unknown>, schema: Schema): string {
  const hidden = extractSecrets(values, schema).secrets.map(({ value }) => value);
  if (mentionsSecrets(schema, path)) hidden.push(at(values, path));
  return hidden
    .map(pythonRepr)
    .sort((a, b) => b.length - a.length)
    .reduce((text, shown) => text.replaceAll(shown, pythonRepr(MASK)), message);
}

function mentionsSecrets({ properties }: Schema, [name]: FieldPath): boolean {
  const attribute = isPlainObject(properties) ? properties[String(name)] : undefined;
  return JSON.stringify(attribute ?? null).includes('"secret":true');
}

const at = (value: unknown, path: FieldPath): unknown =>
  path.reduce<unknown>((found, step) => (found as Record<string | number, unknown> | undefined)?.[step], value);
