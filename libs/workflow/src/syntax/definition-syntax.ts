import { isPlainObject } from '@switchyard/base';
import { pythonRepr } from '@switchyard/model';
import type { RawDefinition } from '../spec/source';
import { violationCheck, type SyntaxViolation } from './violations';
import { WORKFLOW_SCHEMA } from './workflow-schema';

const violationsOf = violationCheck(WORKFLOW_SCHEMA);

/** All structural violations of a definition. A definition without violations is read completely. */
export function syntaxViolations({ raw, text }: RawDefinition): readonly SyntaxViolation[] {
  const found = violationsOf(withWrittenOut(raw)).map((violation) =>
    violation.schemaPath.join('.') === 'properties.version.enum'
      ? asWritten(violation, raw.version, text?.sourceOf(['version']))
      : violation,
  );
  return [...found, ...(text?.numberKeysOf(['tasks']) ?? []).map(numericName)];
}

const numericName = (name: string): SyntaxViolation => ({
  message: `${name} is not of type 'string'`,
  path: ['tasks', name],
  schemaPath: ['properties', 'tasks', 'patternProperties'],
});

/** Python tells `2.0` from 2, and shows 1.0 in the list. */
function asWritten(violation: SyntaxViolation, version: unknown, source = ''): SyntaxViolation {
  const shown = Number.isInteger(version) && source.includes('.') ? `${String(version)}.0` : pythonRepr(version);
  return { ...violation, message: `${shown} is not one of ['1.0', 1.0]` };
}

/** Expands the text form of `with`. */
function withWrittenOut(raw: RawDefinition['raw']): unknown {
  if (!isPlainObject(raw.tasks)) return raw;
  const tasks = Object.entries(raw.tasks).map(([name, task]) => [
    name,
    isPlainObject(task) && typeof task.with === 'string' ? { ...task, with: { items: task.with } } : task,
  ]);
  return { ...raw, tasks: Object.fromEntries(tasks) as unknown };
}
