import { isPlainObject } from '@switchyard/base';
import type { RawDefinition } from '../spec/source';
import { violationCheck, type SyntaxViolation } from './violations';
import { WORKFLOW_SCHEMA } from './workflow-schema';

const violationsOf = violationCheck(WORKFLOW_SCHEMA);

/** Everything about the shape of a definition that is wrong. A definition without violations is read completely. */
export function syntaxViolations({ raw, text }: RawDefinition): readonly SyntaxViolation[] {
  const found = violationsOf(withWrittenOut(raw)).map((violation) =>
    violation.schemaPath.join('.') === 'properties.version.enum'
      ? asWritten(violation, text?.sourceOf(['version']))
      : violation,
  );
  return [...found, ...(text?.numberKeysOf(['tasks']) ?? []).map(numericName)];
}

const numericName = (name: string): SyntaxViolation => ({
  message: `${name} is not of type 'string'`,
  path: ['tasks', name],
  schemaPath: ['properties', 'tasks', 'patternProperties'],
});

/** JSON does not tell 2.0 from 2, and the version is commonly written as the former. */
const asWritten = (violation: SyntaxViolation, source: string | undefined): SyntaxViolation => ({
  ...violation,
  message: `${source ?? violation.message.split(' is not one of ')[0]} is not one of ['1.0', 1.0]`,
});

/** The text form of `with` stands for its items. */
function withWrittenOut(raw: RawDefinition['raw']): unknown {
  if (!isPlainObject(raw.tasks)) return raw;
  const tasks = Object.entries(raw.tasks).map(([name, task]) => [
    name,
    isPlainObject(task) && typeof task.with === 'string' ? { ...task, with: { items: task.with } } : task,
  ]);
  return { ...raw, tasks: Object.fromEntries(tasks) as unknown };
}
