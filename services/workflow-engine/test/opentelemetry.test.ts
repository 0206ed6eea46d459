import { carrierOf } from '@switchyard/telemetry';
import { otlpReceiver, spanTree, type OtlpReceiver } from '@switchyard/testkit/otlp-receiver';
import { leakCheck } from '@switchyard/testkit/system';
import { workflowSystem, type WorkflowSystem } from './support/workflow-system';

const later = leakCheck();

async function started(): Promise<{ system: WorkflowSystem; receiver: OtlpReceiver }> {
  const receiver = await otlpReceiver();
  later(() => receiver.close());
  const opentelemetry = { enable: true, endpoint: receiver.url };
  const system = await workflowSystem({ overrides: { opentelemetry }, runners: [{ slots: 2 }] });
  later(() => system.close());
  return { system, receiver };
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = { traceId: TRACE, spanId: 'b7ad6b7169203331', isSampled: true };

const OUTER = `
version: 1.0
tasks:
  first:
    action: tests.shell cmd="echo one"
    next: [{ when: <% succeeded() %>, do: second }]
  second:
    with: <% list(1, 2) %>
    action: tests.inner
`;
const INNER = 'version: 1.0\ntasks:\n  fails:\n    action: tests.shell cmd="exit 3"\n';

const ofAction = (ref: string, depth: number) =>
  [`action ${ref}`, `  schedule ${ref}`, `  dispatch ${ref}`, `  run ${ref}`].map((line) => ' '.repeat(depth) + line);

describe('the spans of a workflow', () => {
  it('are one tree below the span of the caller, with tasks, inner workflows and the ways of all actions', async () => {
    const { system, receiver } = await started();
    await system.workflow('outer', OUTER);
    await system.workflow('inner', INNER);
    const spans = system.executions.spans.recorder;
    const { _id: id } = await spans.within(CALLER, () => system.request({ action: 'tests.outer' }));
    const { context } = await system.untilStatus(id);
    expect(context).toMatchObject(carrierOf(CALLER));
    await system.stopServices();
    const received = await receiver.untilTrace(TRACE, 'workflow tests.outer');
    const inner = [
      '      workflow tests.inner',
      '        schedule tests.inner',
      '        dispatch tests.inner',
      '        task fails',
      ...ofAction('tests.shell', 10),
    ];
    const tree = spanTree(received);
    expect(tree.slice(0, 8)).toEqual([
      'workflow tests.outer',
      '  schedule tests.outer',
      '  dispatch tests.outer',
      '  task first',
      ...ofAction('tests.shell', 4),
    ]);
    // The items run at the same time.
    expect(
      tree
        .slice(8)
        .map((line) => line.trim())
        .sort(),
    ).toEqual(['  task second', ...inner, ...inner].map((line) => line.trim()).sort());
    const whole = received.find(({ name }) => name === 'workflow tests.outer');
    expect(whole).toMatchObject({
      parentSpanId: CALLER.spanId,
      hasFailed: true,
      attributes: { 'svc.execution.id': id, 'svc.execution.status': 'failed', 'svc.action.ref': 'tests.outer' },
    });
    expect(
      received
        .filter(({ hasFailed }) => hasFailed)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([
      ...['action tests.shell', 'action tests.shell', 'run tests.shell', 'run tests.shell', 'task fails', 'task fails'],
      ...['task second', 'workflow tests.inner', 'workflow tests.inner', 'workflow tests.outer'],
    ]);
  });

  it('belong together although the process is replaced before the end', async () => {
    const { system, receiver } = await started();
    await system.workflow('outer', 'version: 1.0\ntasks:\n  waits:\n    action: tests.manual\n');
    const { _id: id } = await system.executions.spans.recorder.within(CALLER, () =>
      system.request({ action: 'tests.outer' }),
    );
    await system.manual.runs.until(1);
    const [task] = await system.children(id);
    // A second engine takes over from the first one.
    await system.addEngine();
    await system.engines[0]!.kill();
    (await system.manual.runOf(task!._id)).end({ status: 'succeeded', result: {} });
    await system.untilStatus(id);
    await system.stopServices();
    expect(spanTree(await receiver.untilTrace(TRACE, 'workflow tests.outer', 'task waits'))).toEqual([
      'workflow tests.outer',
      '  schedule tests.outer',
      '  dispatch tests.outer',
      '  task waits',
      ...ofAction('tests.manual', 4),
    ]);
  });
});
