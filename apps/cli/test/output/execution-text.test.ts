import type { Execution } from '@switchyard/client';
import { elapsedNote, executionText } from '../../src/output/execution-text';
import { readableTime } from '../../src/output/plain-value';
import { RUN_ATTRIBUTES } from '../../src/output/show-execution';

const execution: Execution = {
  id: '1',
  status: 'succeeded',
  action: { ref: 'core.local' },
  context: { user: 'u' },
  start_timestamp: '2015-02-17T17:28:28.123456Z',
  end_timestamp: '2015-02-17T17:28:31.223456Z',
  result: { stdout: 'one\r\n\u001b[31mtwo', failed: false, when: '2015-02-17', empty: {} },
};

test('prints an execution as lines with objects as blocks, without control characters', async () => {
  const text = await executionText(execution, RUN_ATTRIBUTES, { timezone: 'UTC', colour: false, elapsed: '' });
  expect(text).toBe(`id: 1
action.ref: core.local
context.user: u
parameters: None
status: succeeded
start_timestamp: Tue, 17 Feb 2015 17:28:28 UTC
end_timestamp: Tue, 17 Feb 2015 17:28:31 UTC
result:
  empty: {}
  failed: false
  stdout: |-
    one
    [31mtwo
  when: '2015-02-17'
`);
});

test.each([
  ['UTC', 'Tue, 17 Feb 2015 17:28:28 UTC'],
  ['Europe/Berlin', 'Tue, 17 Feb 2015 18:28:28 CET'],
])('times are shown in %s', (zone, text) => {
  expect(readableTime(execution.start_timestamp, zone)).toBe(text);
});

test.each([
  [execution, ' (3s elapsed)'],
  [{ ...execution, status: 'failed' as const }, ' (3s elapsed)'],
  [{ status: 'running' as const, start_timestamp: '2015-02-17T17:28:28Z' }, ' (10s elapsed)'],
  [{ status: 'scheduled' as const, start_timestamp: '2015-02-17T17:28:28Z' }, ''],
])('shows the elapsed time', (facts, note) => {
  expect(elapsedNote(facts, Date.parse('2015-02-17T17:28:38Z'))).toBe(note);
});
