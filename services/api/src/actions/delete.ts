import { refuseSystemPack, removeActionFiles } from '@switchyard/content';
import { route, type Route } from '@switchyard/http';
import { Type } from '@sinclair/typebox';
import { findAction } from './find-action';
import type { ApiDependencies } from '../api-dependencies';
import { packDirectory } from '../packs/pack-directory';
import { guardedRecord } from '../permissions/guarded-record';

const deleteBody = Type.Object(
  { remove_files: Type.Optional(Type.Boolean({ default: false })) },
  { title: 'ActionRemoval', additionalProperties: false },
);

export const deleteActionRoute = ({ store, packRoots, logger }: ApiDependencies): Route =>
  route({
    method: 'DELETE',
    path: '/actions/{ref_or_id}',
    operation: 'actions.delete',
    summary: 'Delete an action and, on request, its files',
    permission: 'action_delete',
    resource: ({ params }) => guardedRecord('action', store.actions, params.ref_or_id),
    body: deleteBody,
    response: { status: 204 },
    async handle(request) {
      const action = await findAction(store, request);
      refuseSystemPack(action.pack);
      const { remove_files: withFiles = false } = request.body;
      const directory = withFiles ? await packDirectory(packRoots, action.pack) : undefined;
      const remove = () => store.actions.remove(action._id);
      await (directory === undefined ? remove() : removeActionFiles(directory, action, remove));
      logger.audit('Action deleted.', { action: action.ref, with_files: withFiles, user: request.requester.user });
      return { status: 204 };
    },
  });
