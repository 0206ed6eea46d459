import { keyedQueue } from '@switchyard/base';
import { checkAction, checkActionBody, refuseSystemPack, writeDataFiles } from '@switchyard/content';
import { route, type Route } from '@switchyard/http';
import { actionAnswer, actionBody } from '@switchyard/model/resources';
import { refuseOutdated } from './action-version';
import { actionView } from './action-view';
import { filesWritten } from './files-written';
import { findAction } from './find-action';
import { replaceAction } from './write-action';
import type { ApiDependencies } from '../api-dependencies';
import { guardedDraft, guardedRecord, guardedReplacement } from '../permissions/guarded-record';

export const updateActionRoute = (deps: ApiDependencies): Route => {
  const inTurn = keyedQueue();
  return route({
    method: 'PUT',
    path: '/actions/{ref_or_id}',
    operation: 'actions.put',
    summary: 'Replace an action, keeping its id',
    permission: 'action_modify',
    resource: ({ params, body }) =>
      guardedReplacement(guardedRecord('action', deps.store.actions, params.ref_or_id), {
        ...guardedDraft('action', body),
        permission: 'action_create',
      }),
    body: 'any',
    bodySchema: actionBody,
    response: { status: 200, schema: actionAnswer },
    async handle(request) {
      const { store, packRoots: roots, logger } = deps;
      // As in StackStorm, an invalid body is reported even if there is no such action.
      checkActionBody(request.body);
      const { _id: id, pack } = await findAction(store, request);
      refuseSystemPack(pack);
      const runnerTypes = await store.runnerTypes.list();
      const rules = { roots, runnerTypes, pack };
      const { action, dataFiles, packDirectory } = await checkAction(request.body, rules);
      // Of two requests with the same version, the second one finds the version of the first.
      const { record, paths } = await inTurn(id, async () => {
        const before = await findAction(store, request);
        await refuseOutdated(roots, before, request);
        const metadata_file = action.metadata_file === '' ? before.metadata_file : action.metadata_file;
        return writeDataFiles(packDirectory, dataFiles, async (written) => ({
          record: await replaceAction(store.actions, { _id: before._id, ...action, metadata_file }),
          paths: written,
        }));
      });
      logger.audit('Action updated.', { action: record.ref, files: paths, user: request.requester.user });
      await filesWritten(deps, record, packDirectory, paths);
      return { status: 200, body: actionView(record) };
    },
  });
};
