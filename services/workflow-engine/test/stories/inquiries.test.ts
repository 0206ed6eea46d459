import { createInquiries } from '@switchyard/executions';
import type { ExecutionRecord } from '@switchyard/model';
import { eventually, leakCheck } from '@switchyard/testkit/system';
import { workflowSystem, type WorkflowSystem } from '../support/workflow-system';

const later = leakCheck();

async function started(): Promise<WorkflowSystem> {
  const system = await workflowSystem();
  later(() => system.close());
  await system.register({ name: 'ask', runner_type: 'inquirer' });
  return system;
}

const QUESTION = `
version: 1.0
tasks:
  ask:
    action: tests.ask
    next:
      - when: <% succeeded() %>
        publish:
          - go: <% result().response.continue %>
        do: after
  after:
    action: tests.noop
output:
  - go: <% ctx(go) %>
`;

const TWO_QUESTIONS = `
version: 1.0
tasks:
  one:
    action: tests.ask
    next:
      - publish: one=<% result().response.continue %>
        do: after
  two:
    action: tests.ask
    next:
      - publish: two=<% result().response.continue %>
        do: after
  after:
    join: all
    action: tests.noop
output:
  - answers: [<% ctx(one) %>, <% ctx(two) %>]
`;

/** Requests a workflow and waits until it is paused by this many open inquiries. */
async function asked(system: WorkflowSystem, name: string, count: number) {
  const { _id: id } = await system.request({ action: `tests.${name}` });
  const questions = await eventually(
    async () => {
      const pending = (await system.children(id)).filter(({ status }) => status === 'pending');
      return pending.length === count && pending;
    },
    () => `${count} questions`,
  );
  await system.untilStatus(id, 'paused');
  return { id, questions };
}

const answer = ({ executions }: WorkflowSystem, { _id }: ExecutionRecord, go: boolean) =>
  createInquiries(executions).respond(_id, { continue: go }, { user: 'bob' });

describe('a workflow with an inquiry', () => {
  it('pauses until somebody answers, and continues with the answer', async () => {
    const system = await started();
    await system.workflow('question', QUESTION);
    const { id, questions } = await asked(system, 'question', 1);
    await answer(system, questions[0]!, true);
    expect(await system.shown(await system.untilStatus(id, 'succeeded'))).toMatchObject({
      result: { output: { go: true } },
    });
    expect(await system.children(id)).toMatchObject([
      { status: 'succeeded', context: { responded_by: 'bob' } },
      { action_ref: 'tests.noop' },
    ]);
  });

  it('pauses for two inquiries until both are answered', async () => {
    const system = await started();
    await system.workflow('questions', TWO_QUESTIONS);
    const { id, questions } = await asked(system, 'questions', 2);
    await answer(system, questions[0]!, true);
    await system.untilStatus(questions[0]!._id, 'succeeded');
    await system.untilStatus(id, 'paused', 'running', 'resuming');
    expect(await system.children(id)).toHaveLength(2);
    await answer(system, questions[1]!, false);
    const { status, result } = await system.shown(await system.untilStatus(id));
    const names = (await system.children(id)).map(({ context }) => context['orquesta'] as { task_name: string });
    expect(status).toBe('succeeded');
    const [first] = names;
    expect(result).toEqual({ output: { answers: first!.task_name === 'one' ? [true, false] : [false, true] } });
    expect(names).toHaveLength(3);
  });

  it('resumes before it ends, also if the inquiry was its last task', async () => {
    const system = await started();
    await system.workflow('last', 'version: 1.0\ntasks:\n  ask:\n    action: tests.ask\n');
    const { id, questions } = await asked(system, 'last', 1);
    await answer(system, questions[0]!, true);
    const { log } = await system.untilStatus(id, 'succeeded');
    expect(log.map(({ status }) => status).slice(-4)).toEqual(['paused', 'resuming', 'running', 'succeeded']);
  });

  it('runs while an inner workflow goes on after the answer', async () => {
    const system = await started();
    await system.workflow('inner', QUESTION.replace('tests.noop', 'tests.manual'));
    await system.workflow('outer', 'version: 1.0\ntasks:\n  inner:\n    action: tests.inner\n');
    const { _id: id } = await system.request({ action: 'tests.outer' });
    await system.untilStatus(id, 'paused');
    const [inner] = await system.children(id);
    const [question] = await system.children(inner!._id);
    await answer(system, question!, true);
    const [after] = await system.manual.runs.until(1);
    await system.untilStatus(id, 'running');
    after!.end();
    const { log } = await system.untilStatus(id, 'succeeded');
    expect(log.map(({ status }) => status).slice(-4)).toEqual(['paused', 'resuming', 'running', 'succeeded']);
  });

  it('ends with its inquiry when it is canceled', async () => {
    const system = await started();
    await system.workflow('question', QUESTION);
    const { id, questions } = await asked(system, 'question', 1);
    await system.executions.cancel(id, 'bob');
    expect((await system.untilStatus(id)).status).toBe('canceled');
    expect((await system.untilStatus(questions[0]!._id)).status).toBe('canceled');
  });

  it('is canceled with its inquiry', async () => {
    const system = await started();
    await system.workflow('question', QUESTION);
    const { id, questions } = await asked(system, 'question', 1);
    await system.executions.cancel(questions[0]!._id, 'bob');
    expect((await system.untilStatus(id)).status).toBe('canceled');
  });

  it('continues although its engine has ended meanwhile', async () => {
    const system = await started();
    await system.workflow('question', QUESTION);
    const { id, questions } = await asked(system, 'question', 1);
    await system.engines[0]!.stop();
    await answer(system, questions[0]!, true);
    await system.addEngine();
    expect((await system.untilStatus(id)).status).toBe('succeeded');
  });
});
