import { isFault, messageOf } from '@switchyard/base';
import { compileSchema, type ExecutionRecord, type Schema } from '@switchyard/model';
import type { Store } from '@switchyard/storage';

/**
 * Checks what a successful run has given against the schemas of its runner and its action, where that is asked for.
 * @returns the result of the failure that it becomes; undefined when nothing is wrong
 */
export type OutputCheck = (
  record: Pick<ExecutionRecord, 'definition'>,
  result: Readonly<Record<string, unknown>>,
) => Promise<Record<string, unknown> | undefined>;

const MESSAGE = 'Error validating output. See error output for more details.';

/** @param isOn option `system.validate_output_schema` */
export function createOutputCheck(definitions: Store['definitions'], isOn: boolean): OutputCheck {
  return async ({ definition: id }, result) => {
    if (!isOn || Object.keys(result).length === 0) return undefined;
    const definition = await definitions.get(id);
    const { output_schema: whole, output_key: key } = definition?.runner ?? {};
    // Runners without a schema give what their programs give: there is no place that an action's schema could be about.
    if (!definition || !isSchema(whole)) return undefined;
    const part = definition.action.output_schema;
    const error =
      violation(whole, result) ?? (key !== undefined && isSchema(part) ? violation(part, result[key]) : undefined);
    return error === undefined ? undefined : { error, message: MESSAGE };
  };
}

/** The older form, a map of properties, says what is secret and nothing else. */
const isSchema = (schema: Schema | undefined): schema is Schema =>
  typeof schema?.['type'] === 'string' || Array.isArray(schema?.['type']);

/** A schema that makes no sense, or that cannot be applied to the value, is met by nothing: the run has to end all the same. */
function violation(schema: Schema, value: unknown): string | undefined {
  try {
    const outcome = compileSchema(schema, { fillDefaults: false }).check(value);
    return outcome.ok ? undefined : outcome.violation.message;
  } catch (error) {
    if (isFault(error)) return messageOf(error);
    throw error;
  }
}
