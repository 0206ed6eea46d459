import { leakCheck } from '@switchyard/testkit/system';
import { workflowSystem, type WorkflowSystem } from '../support/workflow-system';

const later = leakCheck();

async function started(): Promise<WorkflowSystem> {
  const system = await workflowSystem();
  later(() => system.close());
  return system;
}

it('a list continues two at a time although an item has failed, and returns the results of all items', async () => {
  const system = await started();
  await system.workflow(
    'list',
    `
version: 1.0
tasks:
  each:
    with:
      items: <% range(5) %>
      concurrency: 2
    action: tests.manual
    next:
      - when: <% failed() %>
        publish: numbers=<% result().select($.n) %>
        do: noop
output:
  - numbers: <% ctx(numbers) %>
`,
  );
  const { _id: id } = await system.request({ action: 'tests.list' });
  for (let ended = 0; ended < 5; ended++) {
    const runs = await system.manual.runs.until(Math.min(ended + 2, 5));
    expect(runs.length).toBe(Math.min(ended + 2, 5));
    const { context } = await system.executions.get(runs[ended]!.request.executionId);
    const { item_id: n } = context['orquesta'] as { item_id: number };
    runs[ended]!.end({ status: ended === 0 ? 'failed' : 'succeeded', result: { n } });
  }
  const { status, result } = await system.shown(await system.untilStatus(id));
  expect({ status, output: result!['output'] }).toEqual({
    status: 'succeeded',
    output: { numbers: [0, 1, 2, 3, 4] },
  });
});

it('a list one at a time ends with the first item that fails', async () => {
  const system = await started();
  await system.workflow(
    'list',
    'version: 1.0\ntasks:\n  each:\n    with:\n      items: <% range(5) %>\n      concurrency: 1\n    action: tests.shell cmd="exit <% item() %>"\n',
  );
  const { _id: id } = await system.request({ action: 'tests.list' });
  expect((await system.untilStatus(id)).status).toBe('failed');
  expect((await system.children(id)).map(({ status }) => status)).toEqual(['succeeded', 'failed']);
});

it('a task is retried as long as its condition holds', async () => {
  const system = await started();
  await system.workflow(
    'retried',
    `
version: 1.0
tasks:
  poll:
    action: tests.manual
    retry:
      when: <% succeeded() and not result().ready %>
      count: 5
      delay: 0
    next:
      - publish: word=<% result().word %>
output:
  - word: <% ctx(word) %>
`,
  );
  const { _id: id } = await system.request({ action: 'tests.retried' });
  for (const [at, word] of ['one', 'two', 'three'].entries())
    (await system.manual.runs.until(at + 1))[at]!.end({ result: { ready: word === 'three', word } });
  expect(await system.shown(await system.untilStatus(id))).toMatchObject({
    status: 'succeeded',
    result: { output: { word: 'three' } },
  });
  expect(await system.children(id)).toHaveLength(3);
});

it('a join that needs two of three runs once, after two of them', async () => {
  const system = await started();
  await system.workflow(
    'joined',
    `
version: 1.0
tasks:
  a:
    action: tests.noop
    next: [{ do: joined }]
  b:
    action: tests.noop
    next: [{ do: joined }]
  c:
    action: tests.manual
    next: [{ publish: late=true, do: joined }]
  joined:
    join: 2
    action: tests.manual
output:
  - late: <% ctx(late) %>
`,
  );
  const { _id: id } = await system.request({ action: 'tests.joined' });
  for (const run of await system.manual.runs.until(2)) run.end();
  expect(await system.shown(await system.untilStatus(id))).toMatchObject({
    status: 'succeeded',
    result: { output: { late: true } },
  });
  expect(await system.children(id)).toHaveLength(4);
});

it('a loop repeats until its condition no longer holds', async () => {
  const system = await started();
  await system.workflow(
    'loop',
    `
version: 1.0
vars:
  - n: 0
tasks:
  begin:
    action: tests.noop
    next: [{ do: round }]
  round:
    action: tests.shell cmd="echo <% ctx(n) %>"
    next:
      - when: <% succeeded() and ctx(n) < 4 %>
        publish: n=<% ctx(n) + 1 %>
        do: round
      - when: <% succeeded() and ctx(n) >= 4 %>
        publish: last=<% result().stdout %>
output:
  - n: <% ctx(n) %>
  - last: <% ctx(last) %>
`,
  );
  const { _id: id } = await system.request({ action: 'tests.loop' });
  expect(await system.shown(await system.untilStatus(id))).toMatchObject({
    status: 'succeeded',
    result: { output: { n: 4, last: 4 } },
  });
  expect(await system.children(id)).toHaveLength(6);
});
