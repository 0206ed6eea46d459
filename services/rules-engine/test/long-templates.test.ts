import { longestHoldUp, MOST_HELD_UP, SLOW_TEMPLATE, SLOW_TEMPLATE_VALUE } from '@switchyard/testkit/hold-up';
import { leakCheck } from '@switchyard/testkit/system';
import { engineFixture } from './support/engine-fixture';

const later = leakCheck();

it('long templates of a rule do not block other work', async () => {
  const on = await engineFixture();
  later(() => on.close());
  await on.rule({
    criteria: { 'trigger.text': { type: 'equals', pattern: `value ${SLOW_TEMPLATE}` } },
    correlation: { once_within: { seconds: 10, group_by: `{{ trigger.host }}${SLOW_TEMPLATE}` } },
    action: { ref: 'tests.action', parameters: { text: `{{ trigger.host }} ${SLOW_TEMPLATE}` } },
  });
  const payload = { text: `value ${SLOW_TEMPLATE_VALUE}`, host: 'web1' };
  const { result, share } = await longestHoldUp(() => on.happens(payload));
  expect(result.outcome).toMatchObject({ matched: [expect.any(String)] });
  const executions = await on.executions();
  expect(executions.map(({ parameters }) => parameters)).toEqual([{ text: `web1 ${SLOW_TEMPLATE_VALUE}` }]);
  expect(share).toBeLessThan(MOST_HELD_UP);
});
