import { leakCheck } from '@switchyard/testkit/system';
import { workflowSystem } from '../support/workflow-system';

const later = leakCheck();

const LOOP = `
version: 1.0
tasks:
  begin:
    action: tests.noop
    next: [{ do: round }]
  round:
    action: tests.noop
    next: [{ do: round }]
`;

const LIST = 'version: 1.0\ntasks:\n  each:\n    with: <% range(11) %>\n    action: tests.noop\n';

const PUBLISHING = `
version: 1.0
tasks:
  much:
    action: tests.shell
    input:
      cmd: head -c 1200000 /dev/zero | tr '\\0' x
    next:
      - publish: text=<% result().stdout %>
        do: after
  after:
    action: tests.noop
`;

const TWICE = 'version: 1.0\ntasks:\n  one:\n    action: tests.twice\n  two:\n    action: tests.twice\n';

describe('a workflow that exceeds', () => {
  it('limits.max_tree_size fails, with the inner workflow that would exceed it', async () => {
    const system = await workflowSystem({ overrides: { limits: { max_tree_size: 10 } } });
    later(() => system.close());
    await system.workflow('twice', TWICE);
    const { _id: id } = await system.request({ action: 'tests.twice' });
    expect((await system.untilStatus(id)).status).toBe('failed');
    const all = await system.platform.store.executions.list({});
    // Tasks of the outermost workflow are counted only once there are many.
    expect(all.length).toBeLessThanOrEqual(1 + 10 + 2);
    const shown = await Promise.all(all.map((record) => system.shown(record)));
    expect(shown.map(({ result }) => JSON.stringify(result)).join()).toContain(
      `more than 10 executions below the execution \\"${id}\\", which limits.max_tree_size does not allow.`,
    );
  });

  it.each([
    ['max_items', 10, LIST, 'LimitExceeded: The workflow has more than 10 items.', 0],
    ['max_tasks', 5, LOOP, 'LimitExceeded: The workflow may not run more than 5 tasks.', 5],
    ['max_published_mb', 1, PUBLISHING, 'LimitExceeded: The workflow has published more than 1048576 bytes.', 1],
  ])('%s fails with a reason', async (option, limit, text, message, actions) => {
    const system = await workflowSystem({ overrides: { workflow_engine: { [option]: limit } } });
    later(() => system.close());
    await system.workflow('limited', text);
    const { _id: id } = await system.request({ action: 'tests.limited' });
    const { status, result } = await system.shown(await system.untilStatus(id));
    expect(status).toBe('failed');
    expect(result!['errors']).toMatchObject([{ type: 'error', message }]);
    expect(await system.children(id)).toHaveLength(actions);
  });
});
