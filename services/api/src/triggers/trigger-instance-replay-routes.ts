import { ADMINISTRATORS, route, type Route } from '@switchyard/http';
import { triggerInstance } from '@switchyard/messaging';
import type { TriggerInstanceRecord } from '@switchyard/model';
import type { Filter } from '@switchyard/storage';
import { storedRef } from '@switchyard/triggers';
import { Type, type Static } from '@sinclair/typebox';
import { idCondition } from '../lists/conditions';
import type { ApiDependencies } from '../api-dependencies';
import { sinceCondition } from './since';

export const triggerInstanceReplayRoutes = (deps: ApiDependencies): Route[] => [replay(deps)];

const body = Type.Object(
  {
    ids: Type.Optional(Type.Array(Type.String())),
    trigger: Type.Optional(Type.String()),
    since: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
  },
  { title: 'ReplayBody' },
);

const replayed = Type.Object(
  {
    replayed: Type.Array(Type.String(), { description: 'Ids of the instances' }),
    left: Type.Integer({ description: 'How many more instances match' }),
  },
  { title: 'Replayed' },
);

type Asked = Static<typeof body>;

const DEFAULT_LIMIT = 100;

/**
 * Returns instances that could not be processed to the rules engine. The instances keep their ids, so work that is
 * already done is not repeated. Re-emitting an instance creates a new one.
 */
const replay = (deps: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/triggerinstances/replay',
    operation: 'trigger_instances.replay',
    summary: 'Process failed trigger instances again, oldest first',
    permission: ADMINISTRATORS,
    body,
    response: { status: 200, schema: replayed },
    async handle({ body: asked, requester }) {
      const { store, clock, logger } = deps;
      const filter = filterOf(asked, clock.nowMicros());
      const limit = asked.limit ?? DEFAULT_LIMIT;
      const failed = await store.triggerInstances.list({ filter, sort: { occurrence_time: 1 }, limit });
      const replayed: string[] = [];
      for (const instance of failed) if (await again(deps, instance)) replayed.push(instance._id);
      logger.audit('Trigger instances reprocessed.', { count: replayed.length, user: requester.user });
      return { status: 200, body: { replayed, left: await store.triggerInstances.count(filter) } };
    },
  });

const filterOf = ({ ids, trigger, since }: Asked, now: number): Filter<TriggerInstanceRecord> => ({
  status: 'processing_failed',
  ...(ids ? { _id: idCondition(ids) } : {}),
  ...(trigger === undefined ? {} : { trigger: storedRef(trigger) }),
  ...(since === undefined ? {} : { occurrence_time: sinceCondition(since, now) }),
});

const PENDING = { status: 'pending' } as const;

async function again({ store, bus, clock }: ApiDependencies, { _id }: TriggerInstanceRecord): Promise<boolean> {
  const changed = await store.triggerInstances.change(_id, ['processing_failed'], {
    set: { ...PENDING, due: ['rules-engine'], due_at: clock.nowMicros() },
    unset: ['outcome'],
  });
  if (changed) await bus.publisher().publish(triggerInstance({ id: _id, ref: changed.trigger }));
  return changed !== undefined;
}
