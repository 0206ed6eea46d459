import { newId } from '@switchyard/base';
import { toReference, toUid, type ActionRecord, type RunnerTypeRecord } from '@switchyard/model';

/** An action record; what a test does not care about has a usual value. */
export function anAction(given: Partial<ActionRecord> = {}): ActionRecord {
  const { pack = 'tests', name = 'action' } = given;
  return {
    _id: newId(),
    ref: toReference(pack, name),
    uid: toUid('action', pack, name),
    name,
    pack,
    enabled: true,
    runner_type: 'manual',
    entry_point: '',
    parameters: {},
    output_schema: {},
    tags: [],
    notify: {},
    metadata_file: '',
    ...given,
  };
}

export function aRunnerType(given: Partial<RunnerTypeRecord> = {}): RunnerTypeRecord {
  const { name = 'manual' } = given;
  return {
    _id: newId(),
    uid: toUid('runner_type', name),
    name,
    enabled: true,
    runner_package: name,
    runner_module: name,
    runner_parameters: {},
    output_schema: {},
    ...given,
  };
}
