import { leakCheck } from '@switchyard/testkit/system';
import { workflowSystem } from '../support/workflow-system';

const later = leakCheck();

const LIST = `
version: 1.0
tasks:
  each:
    with: <% range(3) %>
    action: tests.manual
    next:
      - when: <% succeeded() %>
        publish: words=<% result().select($.word) %>
        do: after
  after:
    action: tests.noop
output:
  - words: <% ctx(words) %>
`;

describe('a list that is rerun', () => {
  it.each([
    ['keeps the items that have succeeded', [], 1, ['old', 'new', 'old']],
    ['starts over when reset', ['each'], 3, ['new', 'new', 'new']],
  ])('%s', async (_, reset, again, words) => {
    const system = await workflowSystem();
    later(() => system.close());
    await system.workflow('list', LIST);
    const { _id: id } = await system.request({ action: 'tests.list' });
    for (const run of await system.manual.runs.until(3)) {
      const { context } = await system.executions.get(run.request.executionId);
      const { item_id: item } = context['orquesta'] as { item_id: number };
      run.end({ status: item === 1 ? 'failed' : 'succeeded', result: { word: 'old' } });
    }
    expect((await system.untilStatus(id)).status).toBe('failed');
    const { _id: second } = await system.executions.rerun(id, { tasks: ['each'], reset, user: 'ada' });
    for (const run of (await system.manual.runs.until(3 + again)).slice(3)) run.end({ result: { word: 'new' } });
    expect(await system.shown(await system.untilStatus(second))).toEqual({
      status: 'succeeded',
      result: { output: { words } },
    });
    expect(await system.children(second)).toHaveLength(again + 1);
  });
});
