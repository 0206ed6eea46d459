import { isPlainObject } from '@switchyard/base';
import type { RawDefinition } from '../spec/source';
import { violationCheck, type SyntaxViolation } from './violations';
import { WORKFLOW_SCHEMA } from './workflow-schema';

const violationsOf = violationCheck(WORKFLOW_SCHEMA);

/** All structural violations of a definition. A definition without violations is read completely. */
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

/** Versions are commonly written as `2.0`, which JSON does not distinguish from 2. */
const asWritten = (violation: SyntaxViolation, source: string | undefined): SyntaxViolation => ({
  ...violation,
  message: `${source ?? violation.message.split(' is not one of ')[0]} is not one of ['1.0', 1.0]`,
});

/** Expands the text form of `with`. */
function withWrittenOut(raw: RawDefinition['raw']): unknown {
  if (!isPlainObject(raw.tasks)) return raw;
  const tasks = Object.entries(raw.tasks).map(([name, task]) => [
    name,
    isPlainObject(task) && typeof task.with === 'string' ? { ...task, with: { items: task.with } } : task,
  ]);
  return { ...raw, tasks: Object.fromEntries(tasks) as unknown };
}
