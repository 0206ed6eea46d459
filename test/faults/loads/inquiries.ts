import { setTimeout as wait } from 'node:timers/promises';
import { commandAction, expectAnswer, PACK, recorded, requested, type Load, type Work } from './load';

const DEFINITION = {
  version: 1.0,
  tasks: {
    ask: {
      action: 'core.ask',
      input: { schema: { type: 'object', properties: { number: { type: 'integer' } } } },
      next: [{ when: '<% succeeded() %>', publish: [{ number: '<% result().response.number %>' }], do: 'told' }],
    },
    told: { action: `${PACK}.told` },
  },
  output: [{ number: '<% ctx().get(number) %>' }],
};

const LOOK_MS = 200;
const LONGEST_MS = 300_000;
const ENDED = ['succeeded', 'failed', 'timeout', 'abandoned', 'canceled'];

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly result?: { readonly output?: { readonly number?: number }; readonly response?: { readonly number: number } };
}

/** Workflows that ask, and go on when they are answered. */
export const inquiries: Load = {
  name: 'inquiries',
  files: (journal) => ({
    'actions/told.yaml': commandAction('told', recorded(journal, 'true')),
    'actions/workflows/asking.yaml': DEFINITION,
    'actions/asking.yaml': { name: 'asking', runner_type: 'orquesta', entry_point: 'workflows/asking.yaml', enabled: true }, // oxfmt-ignore
  }),
  open(work) {
    /** Numbers of responses that were acknowledged, by their inquiry. */
    let acknowledged = new Map<string, number>();
    return Promise.resolve({
      pace: { atATime: 2, pauses: 4 },
      async once(number) {
        // It must be answered, however long a fault lasts: an open question does not end. Without a response it may exist, too.
        const ids = await requested(work, `${PACK}.asking`).then(
          (id) => (id === undefined ? [] : [id]),
          () => openWorkflows(work),
        );
        for (const id of ids) await patiently(() => answered(work, id, number, acknowledged));
      },
      async problems() {
        const responses = acknowledged;
        acknowledged = new Map();
        return (await Promise.all([...responses].map((response) => responseProblems(work, response)))).flat();
      },
    });
  },
};

/** Repeats something until it returns a value other than false. */
async function patiently<T>(attempt: () => Promise<T | false>): Promise<T | undefined> {
  const deadline = performance.now() + LONGEST_MS;
  while (performance.now() < deadline) {
    const result = await attempt().catch((): false => false);
    if (result !== false) return result;
    await wait(LOOK_MS);
  }
  return undefined;
}

/** The workflows that have not ended, once the system answers. */
async function openWorkflows({ site }: Work): Promise<string[]> {
  const path = `/v1/executions?action=${PACK}.asking&limit=-1&include_attributes=status`;
  const found = await patiently(async () => (await expectAnswer(site.api, path)) as Shown[]);
  return (found ?? []).filter(({ status }) => !ENDED.includes(status)).map(({ id }) => id);
}

/** @returns whether nothing is left to do */
async function answered({ site }: Work, workflow: string, number: number, acknowledged: Map<string, number>) {
  const fields = 'limit=-1&include_attributes=status';
  const found = (await expectAnswer(
    site.api,
    `/v1/executions?parent=${workflow}&action=core.ask&${fields}`,
  )) as Shown[];
  const open = found.find(({ status }) => status === 'pending');
  if (open) {
    const { status } = await site.api.call('PUT', `/v1/inquiries/${open.id}`, { id: open.id, response: { number } });
    if (status === 200) acknowledged.set(open.id, number);
    return status === 200;
  }
  const { status } = (await expectAnswer(site.api, `/v1/executions/${workflow}?include_attributes=status`)) as Shown;
  return ENDED.includes(status) || found.some((each) => ENDED.includes(each.status));
}

async function responseProblems({ site }: Work, [id, number]: [string, number]): Promise<string[]> {
  const { status, result } = (await expectAnswer(site.api, `/v1/executions/${id}`)) as Shown;
  if (status === 'succeeded' && result?.response?.number === number) return [];
  return [
    `the response ${number} to the inquiry ${id} was acknowledged, but it is ${status} with ${JSON.stringify(result)}`,
  ];
}
