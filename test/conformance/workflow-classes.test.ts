import type { Trace } from '../../libs/workflow/test/conductor/trace';
import { classOfDifference } from './vectors/workflow-classes';

const traced = (steps: readonly object[], tasks: object = { j: { join: 'all' }, l: { with: 'x' } }): Trace =>
  ({ name: 'x', definition: { tasks }, input: {}, context: {}, inspect: {}, trace: steps }) as unknown as Trace;

describe('a difference in a recorded workflow', () => {
  it.each<[string, string, Trace]>([
    ['inspection tells a finding more or fewer times', 'inspection: expected a, a, b, got b, a', traced([])],
    ['inspection finds something else', 'inspection: expected a, got nothing', traced([])],
    [
      'a list that succeeded is run again',
      'step 0, rerun: expected a refusal ("AttributeError")',
      traced([{ op: 'rerun', tasks: [{ task_id: 'l' }] }]),
    ],
    [
      'a workflow that was canceled with a half-reached join is canceled',
      'step 0, task_event: state: expected {"workflow":"failed","tasks":{"j:0":"canceled"}}, got {"workflow":"canceled","tasks":{"j:0":"canceled"}}',
      traced([]),
    ],
    [
      'a join runs once a round, with the sources of that round',
      'step 1, next_tasks: hand-out: expected [{"id":"j"},{"id":"l"}], got [{"id":"l"}]',
      traced([]),
    ],
    ['an older value does not hide a newer one at a join', 'output: expected {"a":1}, got {"a":2}', traced([])],
    ['other', 'output: expected {"a":1}, got {"a":2}', traced([], { l: {} })],
    ['other', 'step 1, next_tasks: hand-out: expected [], got [{"id":"l"}]', traced([])],
  ])('is attributed to its cause: %s', (cause, text, trace) => {
    expect(classOfDifference(trace, text)).toBe(cause);
  });
});
