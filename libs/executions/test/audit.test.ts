import { leakCheck, openTestPlatform } from '@switchyard/testkit/platform';
import { by, executionsOn, register } from './executions-fixture';

const later = leakCheck();

it('the audit log has a line for the request and for each change of the status', async () => {
  const platform = await openTestPlatform();
  later(() => platform.close());
  const executions = executionsOn(platform);
  const record = await by(executions, await register(platform));
  await executions.transition(record, 'scheduled');
  await executions.transition(record, 'scheduled');
  await executions.transition(record, 'failed');
  const ids = `LiveAction.id=${record.liveaction_id}, ActionExecution.id=${record._id}`;
  const lines = platform.log.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.filter(({ message }) => String(message).includes(ids)).map(({ message }) => message)).toEqual([
    `Action execution requested. ${ids}`,
    `The status of action execution is changed from requested to scheduled. <${ids}>`,
    `The status of action execution is changed from scheduled to failed. <${ids}>`,
  ]);
});
