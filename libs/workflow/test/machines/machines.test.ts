import {
  afterAction,
  afterItem,
  afterRequest,
  afterTask,
  WORKFLOW_STATUSES,
  type WorkflowStatus,
} from '../../src/machines';
import { TASK_TABLE } from '../../src/machines/task-machine';
import { WORKFLOW_TABLE } from '../../src/machines/workflow-machine';

const IDLE = { active: 0, pausedLike: 0, canceledLike: 0, ready: 0 };
const counts = { active: 0, paused: 0, canceled: 0, failed: 0, succeeded: 0 };

describe('the status machines', () => {
  it.each([['task', TASK_TABLE], ['workflow', WORKFLOW_TABLE]])('of a %s never lead out of a cancellation', (_name, table) => {
    for (const row of Object.values(table)) expect(row['canceled']).toBeUndefined();
  }); // oxfmt-ignore

  it('end a task from every status in which it may be running', () => {
    const underWay: WorkflowStatus[] = ['requested', 'scheduled', 'delayed', 'running', 'pending', 'pausing', 'paused', 'resuming', 'canceling'];
    for (const status of underWay) expect(afterAction(status, 'succeeded')).toBe('succeeded');
    for (const status of ['succeeded', 'failed', 'canceled', 'retrying'] as const) {
      expect(afterAction(status, 'succeeded')).toBeUndefined();
    }
  }); // oxfmt-ignore

  it('keep timeout and abandoned for actions that never ran', () => {
    expect(afterAction('scheduled', 'timeout')).toBe('timeout');
    expect(afterAction('running', 'timeout')).toBe('failed');
    expect(afterAction('running', 'abandoned')).toBe('failed');
  });

  it.each<[Partial<typeof counts>, WorkflowStatus, WorkflowStatus, WorkflowStatus | undefined]>([
    [{ active: 1 }, 'running', 'failed', undefined],
    [{ failed: 1, succeeded: 2 }, 'running', 'succeeded', 'failed'],
    [{ succeeded: 1 }, 'running', 'succeeded', 'running'],
    [{ succeeded: 1 }, 'pausing', 'succeeded', 'paused'],
    [{ succeeded: 1 }, 'canceling', 'succeeded', 'canceled'],
    [{ succeeded: 2 }, 'canceling', 'succeeded', 'succeeded'],
    [{ active: 1 }, 'running', 'pending', 'pausing'],
    [{ paused: 1, succeeded: 1 }, 'pausing', 'succeeded', 'paused'],
    [{ active: 1 }, 'running', 'canceled', 'canceling'],
  ])('take %j other items of three, a %s task and a %s item to %s', (others, task, item, expected) => {
    expect(afterItem(task, item, { counts: { ...counts, ...others }, size: 3, own: undefined })).toBe(expected);
  });

  it('pause and cancel a workflow once nothing is active', () => {
    expect(afterRequest('running', 'paused', { ...IDLE, active: 1 })).toBe('pausing');
    expect(afterRequest('running', 'paused', IDLE)).toBe('paused');
    expect(afterRequest('paused', 'resuming', IDLE)).toBe('succeeded');
    expect(afterRequest('paused', 'resuming', { ...IDLE, ready: 1 })).toBe('resuming');
    expect(afterTask('canceling', 'succeeded', IDLE)).toBe('canceled');
    expect(afterTask('running', 'canceling', { ...IDLE, active: 1 })).toBe('canceling');
  });

  it('fail the workflow for every kind of task failure', () => {
    for (const status of ['failed', 'timeout', 'abandoned'] as const)
      expect(afterTask('running', status, IDLE)).toBe('failed');
    expect(afterTask('running', 'remediated', IDLE)).toBe('succeeded');
  });

  it('contain no unlisted status', () => {
    const known = new Set<string>([...WORKFLOW_STATUSES, 'unset']);
    for (const table of [TASK_TABLE, WORKFLOW_TABLE]) {
      for (const row of Object.values(table)) {
        for (const [status, result] of Object.entries(row)) expect(known.has(status) && known.has(result)).toBe(true);
      }
    }
  });
});
