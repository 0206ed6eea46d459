import { longestHoldUp, SLOW_TEMPLATE, SLOW_TEMPLATE_VALUE } from '@switchyard/testkit/hold-up';
import { leakCheck } from '@switchyard/testkit/system';
import { engineFixture } from './support/engine-fixture';

const later = leakCheck();
const MOST_MS = 150;

it('long templates of a rule hold up nobody', async () => {
  const on = await engineFixture();
  later(() => on.close());
  await on.rule({
    criteria: { 'trigger.text': { type: 'equals', pattern: `value ${SLOW_TEMPLATE}` } },
    correlation: { once_within: { seconds: 10, group_by: `{{ trigger.host }}${SLOW_TEMPLATE}` } },
    action: { ref: 'tests.action', parameters: { text: `{{ trigger.host }} ${SLOW_TEMPLATE}` } },
  });
  const payload = { text: `value ${SLOW_TEMPLATE_VALUE}`, host: 'web1' };
  const { result, ms } = await longestHoldUp(() => on.happens(payload));
  expect(result.outcome).toMatchObject({ matched: [expect.any(String)] });
  const executions = await on.executions();
  expect(executions.map(({ parameters }) => parameters)).toEqual([{ text: `web1 ${SLOW_TEMPLATE_VALUE}` }]);
  expect(ms).toBeLessThan(MOST_MS);
});
