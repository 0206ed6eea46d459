import { cp, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemClock, type Clock } from '@switchyard/base';
import { paths, type Config, type ConfigOverrides } from '@switchyard/config';
import { registerContent } from '@switchyard/content';
import { createDatastore, createValueCipher, type Datastore, type ItemChange } from '@switchyard/datastore';
import { createExecutions, type Executions } from '@switchyard/executions';
import { watchInstances } from '@switchyard/host';
import type { Route } from '@switchyard/http';
import {
  createAuditTrail,
  createIdentities,
  openAccess,
  type AccessControl,
  type Identities,
} from '@switchyard/identity';
import { connectBus, embeddedBus, type Bus } from '@switchyard/messaging';
import type { ExecutionRecord, TerminalStatus } from '@switchyard/model';
import { runnerRegistry, runnerTypes as runnerTypesOf } from '@switchyard/runners';
import { connectMongo, createSealer, newKeyRing, openStore, type Store } from '@switchyard/storage';
import { embeddedStats, openEmbedded } from '@switchyard/storage/embedded';
import { openTestSite, writeChecks } from '@switchyard/testkit/platform';
import { createTriggers, type Triggers } from '@switchyard/triggers';
import request from 'supertest';
import { apiRoutes, createApiService } from '../../src';

const SHIPPED_PACKS = resolve(__dirname, '../../../../packs');
const EXAMINED_TRIES = 4;

export interface LogLine {
  level: string;
  message: string;
  fields: Record<string, unknown> | undefined;
}

export interface ApiFixtureOptions {
  overrides?: ConfigOverrides;
  access?: AccessControl | ((store: Store) => AccessControl);
  /** Default: the system clock. */
  clock?: Clock;
  /** Record requests in the audit trail. */
  audited?: true;
  /** Fills the embedded store before it is opened. */
  fill?: (directory: string) => Promise<void>;
}

type Verb = 'get' | 'post' | 'put' | 'delete';
export type Client = Record<Verb, (path: string, body?: unknown) => request.Test>;

/** Roles in which only `root` is an administrator. */
export const roles: AccessControl = { ...openAccess, enabled: true, isAdmin: (user) => user === 'root' };

export interface ApiFixture {
  ada: Client;
  as(user: string): Promise<Client>;
  url: string;
  routes: readonly Route[];
  store: Store;
  identities: Identities;
  executions: Executions;
  triggers: Triggers;
  datastore: Datastore;
  /** The recorded events of datastore items. */
  itemChanges: ItemChange[];
  /** The users' directory of packs. */
  packs: string;
  log: LogLine[];
  /** The same store, without schema checks on writes. */
  damaging(): Promise<Store>;
  /** The same store for a process with different keys. */
  withOtherKeys(): Promise<Store>;
  /**
   * The documents that the store examines for some work: the least of several tries, because the process also reads for itself. 0
   * on a server, which chooses among the same indexes but does not count.
   */
  examinedBy(work: () => Promise<unknown>): Promise<number>;
  /** Does what an action runner would do with an execution, until it ends. */
  end(id: string, status?: TerminalStatus, result?: Record<string, unknown>): Promise<ExecutionRecord>;
  /** Requests an execution, and ends it. */
  ran(body: Record<string, unknown>, status?: TerminalStatus, result?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** The API over the store and bus of a test site, with the shipped packs, on its own port. */
export async function apiFixture({
  overrides = {},
  access,
  clock = systemClock(),
  audited,
  fill,
}: ApiFixtureOptions = {}): Promise<ApiFixture> {
  const site = await openTestSite({ ...overrides, api: { ...overrides.api, port: 0 } });
  const { config } = site;
  const where = paths(config);
  await mkdir(where.packs, { recursive: true });
  await cp(join(SHIPPED_PACKS, 'default'), join(where.packs, 'default'), { recursive: true });
  const log: LogLine[] = [];
  const logger = gatheringLogger(log);
  const onServer = config.storage.driver === 'mongodb';
  if (!onServer) await fill?.(where.store);
  const connection = onServer ? await connectMongo(config.database) : await openEmbedded({ directory: where.store });
  const sealer = createSealer(newKeyRing());
  const checkWrite = writeChecks();
  const store = await openStore(connection, sealer, { checkWrite });
  const bus = await openBus(config, logger);
  const roleAccess = typeof access === 'function' ? access(store) : access;
  const identities = createIdentities({ store, clock, config, ...(roleAccess ? { access: roleAccess } : {}) });
  const itemChanges: ItemChange[] = [];
  const datastore = createDatastore({
    store,
    clock,
    logger,
    access: identities.access,
    restrictionOf: identities.restrictionOf,
    cipher: createValueCipher({ path: where.datastoreKey, mayCreate: true, enabled: true }),
    systemUser: config.system_user.user,
    onChange: async (change) => itemChanges.push(change),
  });
  const executions = createExecutions({
    store,
    sealer,
    publisher: bus.publisher(),
    clock,
    logger,
    webUrl: 'https://console',
    lookupFor: datastore.lookupFor,
  });
  const triggers = createTriggers({ store, config, clock, logger, publisher: bus.publisher() });
  const runners = runnerRegistry({ config, paths: where });
  const packRoots = [where.packs, SHIPPED_PACKS];
  const runnerTypes = runnerTypesOf(runners);
  await triggers.registerBuiltIn();
  await registerContent({ store, triggers, roots: packRoots, runnerTypes, failOnFailure: true, logger });
  const instances = watchInstances({ instances: store.instances, clock, logger, leaseMs: config.instances.lease_ms });
  const deps = {
    instances,
    config,
    paths: where,
    clock,
    logger,
    store,
    bus,
    executions,
    triggers,
    datastore,
    identities,
    runners,
    packRoots,
    about: { version: '1.2.3', docsUrl: 'https://docs' },
  };
  const trail = audited ? { audit: createAuditTrail({ store, clock, logger }) } : {};
  const service = createApiService({ ...deps, ...trail, checkResponses: true });
  instances.start();
  await service.start();
  const url = `http://127.0.0.1:${service.address().port}`;
  const as = async (user: string): Promise<Client> => {
    const { token } = await identities.tokens.issueToken({ user });
    const ask =
      (verb: Verb) =>
      (path: string, body?: unknown): request.Test =>
        request(url)
          [verb](`/v1/${path}`)
          .set('x-auth-token', token)
          .send(body as object);
    return { get: ask('get'), post: ask('post'), put: ask('put'), delete: ask('delete') };
  };
  const ada = await as('ada');
  const end = async (id: string, status: TerminalStatus = 'succeeded', result = {}) => {
    const record = await executions.get(id);
    await executions.transition(record, 'scheduled');
    await executions.transition(record, 'running');
    const stored = await executions.results.store(record, result);
    return (await executions.transition(record, status, stored)) as ExecutionRecord;
  };
  return {
    ada,
    as,
    url,
    routes: apiRoutes(deps),
    store,
    identities,
    executions,
    triggers,
    datastore,
    itemChanges,
    packs: where.packs,
    log,
    damaging: () => openStore(connection, sealer),
    withOtherKeys: () => openStore(connection, createSealer(newKeyRing()), { checkWrite }),
    async examinedBy(work) {
      await work();
      if (onServer) return 0;
      const counts: number[] = [];
      while (counts.length < EXAMINED_TRIES) {
        const before = embeddedStats(connection).documentsExamined;
        await work();
        counts.push(embeddedStats(connection).documentsExamined - before);
      }
      return Math.min(...counts);
    },
    end,
    async ran(body, status, result) {
      const { body: made } = await ada.post('executions', body).expect(201);
      await end(made.id, status, result);
      return made.id as string;
    },
    async close() {
      await instances.stop();
      await service.stop();
      await trail.audit?.settled();
      await bus.close();
      await store.close();
      await site.remove();
      checkWrite.assertAllMatched();
    },
  };
}

async function openBus({ messaging }: Config, logger: ReturnType<typeof gatheringLogger>): Promise<Bus> {
  const { driver, url, prefix } = messaging;
  return driver === 'embedded' ? embeddedBus({ prefix, logger }) : connectBus({ urls: url, prefix, logger });
}

function gatheringLogger(lines: LogLine[]) {
  const write = (level: string) => (message: string, fields?: Record<string, unknown>) =>
    void lines.push({ level, message, fields });
  const logger = {
    audit: write('audit'),
    error: write('error'),
    warn: write('warn'),
    info: write('info'),
    debug: write('debug'),
    child: () => logger,
    isEnabled: () => true,
  };
  return logger;
}
