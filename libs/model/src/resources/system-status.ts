import { Type, type Static } from '@sinclair/typebox';
import { STATUSES } from '../execution/statuses';
import { described, isoTime, oneOfTexts, text, texts, whole } from './fields';

/** Why work does not proceed, or soon will not. */
export const PROBLEM_KINDS = [
  'missing-service',
  'different-versions',
  'unserved-pool',
  'full-pool',
  'stuck-pool',
  'slow-queue',
] as const;

const oldest = Type.Optional(described(isoTime, 'When the oldest of them became due'));

const replica = Type.Object(
  {
    id: text,
    host: text,
    pid: whole,
    version: Type.Optional(text),
    started_at: isoTime,
    slots: Type.Optional(described(whole, 'Action runners: how many executions it runs at a time')),
    pools: Type.Optional(described(texts, 'Action runners: the pools that it serves')),
  },
  { title: 'Replica' },
);
export type Replica = Static<typeof replica>;

const leader = Type.Object({
  leadership: described(text, 'The work that only this process does'),
  host: text,
  pid: whole,
  elected_at: isoTime,
});

const pool = Type.Object({
  pool: text,
  waiting: described(whole, 'Executions that wait for a slot'),
  oldest_at: oldest,
  active: Type.Optional(described(whole, 'Executions that hold a slot')),
  slots: Type.Optional(described(whole, 'Slots of the running action runners; absent if none serves the pool')),
});
export type PoolStatus = Static<typeof pool>;

const queue = Type.Object({
  service: text,
  waiting: described(whole, 'Records that this service has to handle next'),
  oldest_at: oldest,
});
export type QueueStatus = Static<typeof queue>;

const problem = Type.Object({
  kind: oneOfTexts(PROBLEM_KINDS),
  message: text,
  service: Type.Optional(text),
  pool: Type.Optional(text),
  oldest_at: oldest,
});
export type StatusProblem = Static<typeof problem>;

/** What is running, what waits, and why. */
export const systemStatusAnswer = Type.Object(
  {
    taken_at: isoTime,
    services: described(
      Type.Array(Type.Object({ service: text, replicas: Type.Array(replica) })),
      'Every service, with its running processes',
    ),
    leaders: Type.Array(leader),
    executions: described(
      Type.Array(
        Type.Object({
          status: oneOfTexts(STATUSES),
          count: whole,
          oldest_at: Type.Optional(described(isoTime, 'When the oldest of them was requested')),
        }),
      ),
      'Unfinished executions by status',
    ),
    pools: Type.Array(pool),
    queues: Type.Array(queue),
    problems: Type.Array(problem),
  },
  { title: 'SystemStatus' },
);
export type SystemStatus = Static<typeof systemStatusAnswer>;
