import { get } from 'node:http';
import { systemClock } from '@switchyard/base';
import { createIdentities, createRoleAccess, type Identities } from '@switchyard/identity';
import {
  giveRole,
  INVALID_CALLERS,
  limitedKey,
  tokenOf,
  usualCallers,
  type Credentials,
} from '@switchyard/testkit/callers';
import { leakCheck, startSystem, type TestSystem } from '@switchyard/testkit/system';
import { createStreamService, streamRoutes } from '../src';

/** One route, a request for it, and the permission that it needs. */
interface Row {
  readonly operation: string;
  readonly path: string;
  readonly needs: string;
  /** A similar permission that is not sufficient. */
  readonly near: string;
}

let system: TestSystem;
let identities: Identities;
let service: ReturnType<typeof createStreamService>;
let rows: readonly Row[];
let callers: Record<string, Credentials>;
const later = leakCheck('all');

beforeAll(async () => {
  system = await startSystem();
  later(() => system.close());
  await system.register();
  const { config, bus, store, clock, logger } = system.platform;
  const access = createRoleAccess({ store, clock: systemClock() });
  identities = createIdentities({ store, clock, config, access });
  const settings = { ...config, stream: { ...config.stream, port: 0 } };
  const { executions } = system;
  const { authenticate } = identities;
  service = createStreamService({ config: settings, bus, store, clock, logger, executions, authenticate, access });
  await service.start();
  later(() => service.stop());
  const { _id: id } = await system.request();
  (await system.manual.runOf(id)).end({ result: {} });
  await system.untilStatus(id, 'succeeded');
  const view = `execution_view@execution:${id}`;
  rows = [
    { operation: 'stream.get_all', path: 'stream', needs: 'stream_view', near: view },
    { operation: 'stream.execution_output', path: `executions/${id}/output`, needs: view, near: 'stream_view' },
  ];
  for (const role of ['system_admin', 'admin', 'observer']) await giveRole(store, role, [], true);
  for (const { operation, needs, near } of rows) {
    await giveRole(store, `exactly ${operation}`, [needs]);
    await giveRole(store, `nearly ${operation}`, [near]);
  }
  callers = { ...(await usualCallers({ ...identities, store })), ...(await callersOfRows()) };
});

async function callersOfRows(): Promise<Record<string, Credentials>> {
  const made = rows.map(async ({ operation, needs, near }) => ({
    [`exactly ${operation}`]: await tokenOf(identities, `exactly ${operation}`),
    [`nearly ${operation}`]: await tokenOf(identities, `nearly ${operation}`),
    [`a key for ${operation}`]: await limitedKey(identities, [needs]),
    [`a key nearly for ${operation}`]: await limitedKey(identities, [near]),
  }));
  return Object.assign({}, ...(await Promise.all(made))) as Record<string, Credentials>;
}

/** The status of a response. Its events are not read. */
const statusOf = (path: string, headers: Credentials): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = get({ port: service.address().port, path: `/v1/${path}`, headers, agent: false }, (answer) => {
      resolve(answer.statusCode ?? 0);
      answer.on('error', () => undefined);
      sent.destroy();
    });
    sent.on('error', reject);
  });

const expected = ({ operation }: Row): Record<string, number> => ({
  ...INVALID_CALLERS,
  nobody: 403,
  'an API key': 403,
  observer: 200,
  admin: 200,
  system_admin: 200,
  [`exactly ${operation}`]: 200,
  [`nearly ${operation}`]: 403,
  [`a key for ${operation}`]: 200,
  [`a key nearly for ${operation}`]: 403,
});

describe('each route of the stream', () => {
  it('is in the table, and its declaration matches the table', () => {
    const declared = streamRoutes({ store: {}, executions: { view: {} } } as never).map(({ operation, permission }) => [
      operation,
      permission,
    ]);
    const inTable = rows.map(({ operation, needs }) => [operation, needs.replace(/@.*/, '')]);
    expect(inTable).toEqual(declared);
  });

  it.each(['stream.get_all', 'stream.execution_output'])(
    'responds to each caller of %s according to the table',
    async (name) => {
      const row = rows.find(({ operation }) => operation === name)!;
      const answers: Record<string, number> = {};
      for (const caller of Object.keys(expected(row)))
        answers[caller] = await statusOf(row.path, callers[caller] ?? {});
      expect(answers).toEqual(expected(row));
    },
  );
});
