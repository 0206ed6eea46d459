import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS, newId } from '@switchyard/base';
import { chainedRecord, type AuditEntry, type AuditHead, type ExecutionRecord } from '@switchyard/model';
import { aChunk, anAction, anExecution, writeChecks } from '@switchyard/testkit/platform';
import type { Connection } from 'mongoose';
import { createSealer, isOneOf, newKeyRing, openStore, type Store } from '../../src';
import { embeddedStats, openEmbedded } from '../../src/embedded';

/**
 * A call must read in proportion to its result, not to the size of the store. The counters are the embedded driver's; a server
 * chooses among the same indexes.
 */
const ENDED = 1000;
const WAITING = 300;

/** The writers of the audit trail. */
const AUDITED = ['a', 'b', 'c'];
const anAuditEntry: AuditEntry = {
  ...{ kind: 'change', user: 'ada', authenticated_by: 'token', address: '127.0.0.1', operation: 'rules.post' },
  ...{ resource_type: 'rule', resource: 'core.one', outcome: 'succeeded', status: 201, request_id: 'r', changed: [] },
};

let directory: string;
let connection: Connection;
let store: Store;
let sample: ExecutionRecord;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'svc-index-'));
  connection = await openEmbedded({ directory });
  store = await openStore(connection, createSealer(newKeyRing()), { checkWrite: writeChecks() });
  const due = { due: ['scheduler' as const], due_at: 10 };
  for (let i = 0; i < ENDED; i++)
    await store.executions.insert(
      anExecution({ status: 'succeeded', request_key: `k${i}`, start_timestamp: i, end_timestamp: i }),
    );
  for (let i = 0; i < WAITING; i++) {
    await store.executions.insert(anExecution({ ...due, pool: 'gpu', delay: 1, schedule_at: 10 + i }));
    await store.executions.insert(anExecution({ ...due, schedule_at: 10 + i, priority: i % 3 }));
  }
  for (let i = 0; i < WAITING; i++)
    await store.executions.insert(
      anExecution({ ...due, pool: 'shared', share: `${['ada', 'bob', 'eve'][i % 3]} a`, schedule_at: 10 + (i >> 1) }),
    );
  for (let i = 0; i < WAITING; i++)
    await store.executions.insert(anExecution({ status: 'delayed', waits_on: 'group', schedule_at: i }));
  for (const dueAt of [49, 50, 51, 52]) {
    const workflow = { pool: 'workflows', due: ['workflow-engine' as const], due_at: dueAt };
    for (const status of ['scheduled', 'delayed'] as const)
      await store.executions.insert(anExecution({ ...workflow, status }));
  }
  for (const user of ['ada', 'ada', 'bob']) {
    const [_id, expiry] = [newId(), new Date(Date.now() + HOUR_MS)];
    await store.tokens.insert({ _id, user, expiry, token_hash: _id, metadata: {}, service: false });
  }
  const task = { root: 'top', workflow_execution: 'w', nesting: 1 };
  for (let i = 0; i < WAITING; i++) {
    await store.executions.insert(anExecution({ ...task, status: 'delayed' }));
    await store.executions.insert(anExecution({ ...task, action_is_workflow: true, status: 'canceled' }));
  }
  for (let i = 0; i < WAITING; i++)
    await store.workflows.insert({
      ...{ _id: `w${i}`, execution: `e${i}`, definition: 'd', parameters: [], owner: ['one', 'two'][i % 2]! },
      ...{ options: { notify: [], skip_notify: [], display_published: false }, open: true, depth: 0, started_at: 10 },
    });
  await store.limits.save({ _id: 'group', revision: 1, holders: ['one'], starts: [] }, undefined);
  const claim = { number: 1, instance: 'i', host: 'h', pid: 1 };
  const process = { host: 'h', pid: 1, start_time: '1', boot_id: 'b' };
  const busy = { status: 'running' as const, slot: 'default', claim, process, parent: 'p', request_key: 'busy' };
  sample = (await store.executions.insert(anExecution({ ...busy, due: ['notifier'], due_at: 1 }))).record;
  await store.output.append(
    Array.from({ length: 500 }, (_, i) => aChunk({ execution_id: sample._id, sequence: i + 1 })),
  );
  await store.actions.insert(anAction());
  for (const writer of AUDITED) {
    const chain = [];
    for (let i = 0, head = { writer, sequence: 0, hash: '' }; i < WAITING; i++)
      chain.push((head = chainedRecord(head, i, anAuditEntry)));
    await store.audit.append(chain);
  }
  for (let i = 0; i < WAITING; i++)
    await store.timers.enter(
      { _id: `t${i}`, trigger: 'core.t', fingerprint: 'f', anchor: 0, due_at: i, written_at: 0 },
      undefined,
    );
});

afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

const of = { pool: 'shared', priority: 0 };

/** Name, call, and the maximum number of documents it may read. */
const calls: [string, () => Promise<unknown>, number][] = [
  ['get', () => store.executions.get(sample._id), 1],
  ['getByLiveaction', () => store.executions.getByLiveaction(sample.liveaction_id), 1],
  ['a repeated request', () => store.executions.insert(anExecution({ request_key: 'busy' })), 2],
  ['change', () => store.executions.change(sample._id, { status: ['running'] }, { set: { priority: 1 } }), 1],
  ['backlog', () => store.executions.backlog('default', 1e9, 5), 5],
  ['backlog of another pool', () => store.executions.backlog('gpu', 1e9, 5), 5],
  ['backlog of an empty pool', () => store.executions.backlog('edge', 1e9, 5), 0],
  ['the next queue', () => store.executions.nextShare(of, { after: 'ada a' }), 1],
  ['the next queue of a user', () => store.executions.nextShare(of, { after: 'bob a', before: 'bob c' }), 0],
  ['the first of a queue', () => store.executions.backlogOf({ ...of, share: 'eve a' }, 1e9, 2), 2],
  ['the first without a queue', () => store.executions.backlogOf({ ...of, share: undefined }, 1e9, 2), 0],
  [
    'the number that were handed over',
    async () => expect(await store.executions.countHandedOver('workflow-engine', 'workflows', 50)).toBe(2),
    6,
  ],
  ['nextDue', () => store.executions.nextDue('gpu', 20), 1],
  ['nextDue without any delay', () => store.executions.nextDue('default', 5), 0],
  ['nextDue without any', () => store.executions.nextDue('default', 1e9), 0],
  ['countActive', () => store.executions.countActive('default'), 1],
  ['the first that wait for a policy', () => store.executions.waitingOn('group', 'default', 3), 3],
  ['the groups that are waited for', () => store.executions.waitedOn(), 1],
  ['the pools in use', () => store.executions.poolsInUse(10), 10],
  ['the number that wait in an empty pool', () => store.executions.countWaiting('edge', 1e9), 0],
  ['the longest waiting in a pool', () => store.executions.waitingSince('gpu', 1e9), 10],
  ['unfinished executions', () => store.executions.underWay(['tests.action']), 5],
  ['the groups of one that has ended', () => store.limits.free('nobody'), 0],
  ['settle', () => store.executions.settle([sample._id], 'workflow-engine'), 3],
  ['workflows of a tree that are under way', () => store.executions.workflowsUnder('top', ['running', 'paused'], 2), 0],
  [
    'the ids of workflows of a tree',
    async () => {
      const found = [];
      for await (const each of store.executions.eachWorkflowUnder('top', ['running', 'paused'])) found.push(each);
      return found;
    },
    0,
  ],
  [
    'the first actions of several runs',
    () => store.executions.list({ filter: { workflow_execution: isOneOf(['w', 'x']) }, limit: 20 }),
    20,
  ],
  ['overdue', () => store.executions.overdue('notifier', 100, 10), 1],
  ['postpone', () => store.executions.postpone([sample._id], 1), 1],
  ['claimants', () => store.executions.claimants(), 1],
  ['claimedBy', () => store.executions.claimedBy('i'), 1],
  ['processesOn', () => store.executions.processesOn('h'), 1],
  ['childrenOf', () => store.executions.childrenOf('p'), 1],
  ['the newest', () => store.executions.list({ sort: { start_timestamp: -1 }, limit: 5 }), 5],
  [
    'the newest of an action',
    () => store.executions.list({ filter: { action_ref: 'tests.action' }, sort: { start_timestamp: -1 }, limit: 5 }),
    5,
  ],
  [
    'the newest of a status',
    () => store.executions.list({ filter: { status: 'running' }, sort: { start_timestamp: -1 }, limit: 5 }),
    1,
  ],
  [
    'the oldest that have ended',
    () =>
      store.executions.list({
        filter: {
          start_timestamp: { $gte: 0, $lt: ENDED },
          status: { $in: ['succeeded', 'failed'] },
          end_timestamp: { $lt: ENDED },
          due: null,
        },
        sort: { start_timestamp: 1 },
        limit: 5,
      }),
    5,
  ],
  ['the engines with open runs', async () => expect(await store.workflows.owners()).toEqual(['one', 'two']), 2],
  ['the oldest runs of workflows', () => store.workflows.oldest({ from: 0, except: [] }, 1, 5), 0],
  ['the oldest output', () => store.output.removeOldest(1, 5), 0],
  ['the oldest trigger instances', () => store.triggerInstances.oldest(1, 5), 0],
  ['the oldest rule enforcements', () => store.ruleEnforcements.oldest(1, 5), 0],
  ['the oldest traces', () => store.traces.oldest(1, 5), 0],
  ['the tokens that expired first', () => store.tokens.oldest(1, 5), 0],
  [
    'the ends of the chains of the audit trail',
    async () => expect(await endsFrom('b')).toEqual(['b 1 300', 'c 1 300']),
    4,
  ],
  [
    'the chains of the audit trail that have grown',
    async () => {
      const known = AUDITED.map((writer): AuditHead => ({ writer, sequence: writer === 'b' ? 10 : WAITING, hash: '' }));
      expect(await store.audit.headsAfter(known)).toMatchObject([{ writer: 'b', sequence: WAITING }]);
    },
    2,
  ],
  ['output', () => store.output.read(sample._id, { after: 490 }), 10],
  ['an action by reference', () => store.actions.byKey('tests.action'), 1],
  ['a token by hash', () => store.tokens.byHash('x'), 0],
  ['the tokens of a user', () => store.tokens.ofUser('bob', new Date()), 1],
  ['timers that are due', () => store.timers.due(20, 5), 5],
  ['the next due timer', () => store.timers.nextDue(20), 1],
  ['no trigger instance', () => store.triggerInstances.get('x'), 0],
];

async function endsFrom(writer: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { first, last } of store.audit.ends(writer))
    found.push(`${first.writer} ${first.sequence} ${last.sequence}`);
  return found;
}

it.each(calls)('%s reads no more than necessary', async (_, call, most) => {
  const before = embeddedStats(connection);
  await call();
  const after = embeddedStats(connection);
  expect(after.scans - before.scans).toBe(0);
  expect(after.documentsExamined - before.documentsExamined).toBeLessThanOrEqual(most);
});
