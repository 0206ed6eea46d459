import { Conductor, parseWorkflow } from '../../src';

const begun = (text: string, steps: number): Conductor => {
  const limits = { expressions: { steps, durationMs: 60_000 } };
  const conductor = Conductor.create(parseWorkflow(text), {}, { limits });
  conductor.requestStatus('running');
  return conductor;
};

const LOOP = '<% range(1000).select($ + 1).sum() %>';
const inputs = (count: number) => Array.from({ length: count }, (_, n) => `      i${n}: ${LOOP}\n`).join('');
const taskWith = (count: number) => `version: 1.0\ntasks:\n  one:\n    action: core.noop\n    input:\n${inputs(count)}`;

describe('all expressions of a task', () => {
  it('share one limit of steps, even if each is within its own limit', () => {
    expect(begun(taskWith(2), 50_000).nextTasks()).toHaveLength(1);
    const conductor = begun(taskWith(200), 50_000);
    expect(conductor.nextTasks()).toEqual([]);
    expect(conductor.status).toBe('failed');
    expect(conductor.errors[0]?.message).toContain('Expressions take more than 50000 steps together');
  });

  it('do not reduce the limit of the next task', () => {
    const two = `${taskWith(4)}  two:\n    action: core.noop\n    input:\n${inputs(4)}`;
    expect(begun(two, 50_000).nextTasks()).toHaveLength(2);
  });

  it('have more steps for more items', () => {
    const text =
      'version: 1.0\ntasks:\n  one:\n    with: <% range(2000) %>\n    action: core.noop\n    input:\n      x: <% item() + 1 %>\n';
    expect(begun(text, 5_000).nextTasks()[0]?.actions).toHaveLength(2_000);
  });
});
