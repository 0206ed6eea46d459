import { longestHoldUp, MOST_HELD_UP, SLOW_TEMPLATE, SLOW_TEMPLATE_VALUE, SLOW_YAQL, SLOW_YAQL_VALUE } from '@switchyard/testkit/hold-up'; // oxfmt-ignore
import { leakCheck } from '@switchyard/testkit/system';
import { workflowSystem } from '../support/workflow-system';

const later = leakCheck();

const WORKFLOW = `
version: 1.0
input: [secret]
vars:
  - n: <% ${SLOW_YAQL} %>
tasks:
  first:
    action: tests.shell cmd="echo 7"
    next:
      - when: <% ${SLOW_YAQL} = ctx(n) and task_status(first) = succeeded %>
        publish:
          - sum: <% ${SLOW_YAQL} + int(result().stdout) + int(task(first).result.stdout) %>
        do: each
  each:
    with: <% let(x => ${SLOW_YAQL}) -> range(2).select($x + $) %>
    action: tests.shell
    input:
      cmd: "echo {{ item() }} '${SLOW_TEMPLATE.replaceAll('"', '\\"')}'"
output:
  - sum: <% ctx(sum) %>
  - each: <% task(each).result.items.select($.result.stdout).orderBy($) %>
  - secret: <% ${SLOW_YAQL} + int(ctx(secret).substring(0, 5)) %>
`;

it('Long expressions of a workflow block no other work, and reveal no secrets', async () => {
  const system = await workflowSystem();
  later(() => system.close());
  const parameters = { secret: { type: 'string', secret: true } };
  await system.workflow('long', WORKFLOW, { parameters });
  const { result, share } = await longestHoldUp(() => system.outcome('long', { secret: 'hunter2xy' }));
  const each = [0, 1].map((n) => `${SLOW_YAQL_VALUE + n} ${SLOW_TEMPLATE_VALUE}`);
  expect(result).toMatchObject({ status: 'failed', result: { output: { sum: SLOW_YAQL_VALUE + 14, each } } });
  expect(result.result?.['errors']).toMatchObject([{ message: expect.stringContaining('********') }]);
  expect(JSON.stringify(result)).not.toContain('hunte');
  expect(share).toBeLessThan(MOST_HELD_UP);
});
