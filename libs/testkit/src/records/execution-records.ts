import { newId, systemClock } from '@switchyard/base';
import type { ExecutionRecord, InstanceRecord, OutputRecord } from '@switchyard/model';

const clock = systemClock();

/** The record of an execution that was just requested, to be written to the store as it is. */
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
