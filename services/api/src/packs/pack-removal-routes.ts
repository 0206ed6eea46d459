import { refuseSystemPack, removePack } from '@switchyard/content';
import { route, type Route } from '@switchyard/http';
import { SYSTEM_PACKS } from '@switchyard/model';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';
import { findPack } from './pack-view';
import { guardedRecord } from '../permissions/guarded-record';

/** `DELETE` does the same as unloading. An option restores StackStorm's response, which is a 404. */
export const packRemovalRoutes = (deps: ApiDependencies): Route[] => [
  unloadPack(deps, { method: 'POST', path: '/packs/{ref_or_id}/unload', operation: 'packs.unload' }),
  ...(deps.config.api.delete_content
    ? [unloadPack(deps, { method: 'DELETE', path: '/packs/{ref_or_id}', operation: 'packs.delete' })]
    : []),
];

/** Packs that the product needs; `default` is for content that is created without naming a pack. */
const NOT_REMOVED = [...SYSTEM_PACKS, 'default'];

const refsByKind = Type.Record(Type.String(), Type.Array(Type.String()));

const removal = Type.Object(
  {
    removed: refsByKind,
    kept: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'Triggers that rules of other packs use',
    }),
  },
  { title: 'PackRemoval' },
);

const unloadPack = (
  { store, triggers, bus, logger }: ApiDependencies,
  where: Pick<Route, 'method' | 'operation'> & { readonly path: `/packs/{ref_or_id}${string}` },
): Route =>
  route({
    ...where,
    summary: 'Remove a pack and everything that it registered, but not its files',
    permission: 'pack_delete',
    resource: ({ params }) => guardedRecord('pack', store.packs, params.ref_or_id),
    response: {
      status: 200,
      schema: removal,
    },
    async handle(request) {
      const pack = await findPack(store, request);
      refuseSystemPack(pack.ref, NOT_REMOVED);
      const body = await removePack({ store, triggers, publisher: bus.publisher(), logger }, pack);
      logger.audit('Pack deleted.', { pack: pack.ref, ...body, user: request.requester.user });
      return { status: 200, body };
    },
  });
