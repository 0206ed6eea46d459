import { commandAction, expectAnswer, PACK, recorded, requested, type Load, type Work } from './load';

const DEFINITION = {
  version: 1.0,
  tasks: {
    first: { action: `${PACK}.step`, next: [{ when: '<% succeeded() %>', do: ['left', 'right'] }] },
    left: { action: `${PACK}.step`, next: [{ when: '<% succeeded() %>', do: 'last' }] },
    right: { action: 'core.noop', next: [{ when: '<% succeeded() %>', do: 'last' }] },
    last: { join: 'all', action: `${PACK}.step` },
  },
};

interface Task {
  readonly status: string;
  readonly context: { readonly orquesta?: { readonly task_name: string } };
}

/** Workflows with branches and a join. Their actions must not run twice. */
export const workflows: Load = {
  name: 'workflows',
  files: (journal) => ({
    'actions/step.yaml': commandAction('step', recorded(journal, 'sleep 0.05')),
    'actions/workflows/steps.yaml': DEFINITION,
    'actions/steps.yaml': {
      name: 'steps',
      runner_type: 'orquesta',
      entry_point: 'workflows/steps.yaml',
      enabled: true,
    },
  }),
  open(work) {
    let requestedNow: string[] = [];
    return Promise.resolve({
      pace: { atATime: 1, pauses: 6 },
      async once() {
        const id = await requested(work, `${PACK}.steps`);
        if (id !== undefined) requestedNow.push(id);
      },
      async problems() {
        const ids = requestedNow;
        requestedNow = [];
        return (await Promise.all(ids.map((id) => workflowProblems(work, id)))).flat();
      },
    });
  },
};

/** Each task runs once at most, and the workflow succeeds if they all do. */
async function workflowProblems({ site }: Work, id: string): Promise<string[]> {
  const { status } = (await expectAnswer(site.api, `/v1/executions/${id}?include_attributes=status`)) as Task;
  const path = `/v1/executions?parent=${id}&limit=-1&include_attributes=status,context`;
  const tasks = (await expectAnswer(site.api, path)) as Task[];
  const names = tasks.map(({ context }) => context.orquesta?.task_name ?? '');
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  const isSound = Object.keys(DEFINITION.tasks).every((name) => names.includes(name));
  const hasSucceeded = isSound && tasks.every((task) => task.status === 'succeeded');
  return [
    ...twice.map((name) => `the task ${name} of the workflow ${id} ran twice`),
    ...(hasSucceeded === (status === 'succeeded') ? [] : [`the workflow ${id} is ${status}; its tasks: ${JSON.stringify(tasks)}`]), // oxfmt-ignore
  ];
}
