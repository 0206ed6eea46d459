import type { DefinitionRecord } from '../resources/action';
import type { ExecutionRecord } from '../resources/execution';
import { parseReference, toReference, toUid } from './reference';

/** Replaces the lost definition of an execution, so that the execution can be shown. */
export function standInDefinition(
  execution: Pick<ExecutionRecord, 'definition' | 'action_ref' | 'runner_name'>,
): DefinitionRecord {
  const { pack, name } = parseReference(execution.action_ref) ?? { pack: 'unknown', name: execution.action_ref };
  const runner = execution.runner_name;
  return {
    _id: execution.definition,
    action: {
      ...{ id: '', ref: toReference(pack, name), uid: toUid('action', pack, name), name, pack, enabled: false },
      ...{ description: 'The definition of this action is lost.', runner_type: runner, entry_point: '' },
      ...{ parameters: {}, output_schema: {}, tags: [], notify: {}, metadata_file: '' },
    },
    runner: {
      ...{ id: '', uid: toUid('runner_type', runner), name: runner, enabled: false },
      ...{ runner_package: runner, runner_module: runner, runner_parameters: {}, output_schema: {} },
    },
  };
}
