import { newId, systemClock } from '@switchyard/base';
import {
  type ActionRecord,
  type ExecutionRecord,
  type InstanceRecord,
  type OutputRecord,
  type RunnerTypeRecord,
  toReference,
  toUid,
} from '@switchyard/model';

/** An action record with usual values for everything that a test does not set. */
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

const clock = systemClock();

/** The record of an execution that was just requested, ready to be stored. */
export function anExecution(given: Partial<ExecutionRecord> = {}): ExecutionRecord {
  const now = clock.nowMicros();
  const { _id = newId(), status = 'requested', start_timestamp: start = now } = given;
  return {
    _id,
    liveaction_id: newId(),
    status,
    revision: 1,
    action_ref: 'tests.action',
    action_is_workflow: false,
    runner_name: 'manual',
    definition: '0'.repeat(64),
    parameters: {},
    context: { user: 'ada', pack: 'tests' },
    start_timestamp: start,
    log: [{ status: 'requested', timestamp: start }],
    web_url: `http://web/#/history/${_id}/general`,
    pool: 'default',
    priority: 0,
    schedule_at: start,
    idempotent: false,
    ...given,
  };
}

export function anInstance(given: Partial<InstanceRecord> = {}): InstanceRecord {
  return {
    _id: newId(),
    service: 'action-runner',
    host: 'elsewhere',
    pid: 1,
    beat: 0,
    started_at: clock.nowMicros(),
    ...given,
  };
}

export function aChunk(given: Partial<OutputRecord> = {}): OutputRecord {
  return {
    _id: newId(),
    execution_id: newId(),
    sequence: 1,
    output_type: 'stdout',
    data: 'text',
    timestamp: clock.nowMicros(),
    action_ref: 'tests.action',
    runner_ref: 'manual',
    ...given,
  };
}
