import { newId } from '@switchyard/base';
import { checkAction, writeDataFiles } from '@switchyard/content';
import { route, type Route } from '@switchyard/http';
import { actionAnswer, actionBody } from '@switchyard/model/resources';
import { actionView } from './action-view';
import { filesWritten } from './files-written';
import { insertAction } from './write-action';
import type { ApiDependencies } from '../api-dependencies';
import { guardedDraft } from '../permissions/guarded-record';

export const createActionRoute = (deps: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/actions',
    operation: 'actions.create',
    summary: 'Create an action, optionally with files',
    permission: 'action_create',
    resource: ({ body }) => guardedDraft('action', body),
    // The content rules check the whole body, because they cover more than a schema can express.
    body: 'any',
    bodySchema: actionBody,
    response: { status: 201, schema: actionAnswer },
    async handle({ body, requester }) {
      const { store, packRoots: roots, logger } = deps;
      const runnerTypes = await store.runnerTypes.list();
      const { action, dataFiles, packDirectory } = await checkAction(body, { roots, runnerTypes });
      const { record, paths } = await writeDataFiles(packDirectory, dataFiles, async (written) => ({
        record: await insertAction(store.actions, { _id: newId(), ...action }),
        paths: written,
      }));
      logger.audit('Action created.', { action: record.ref, files: paths, user: requester.user });
      await filesWritten(deps, record, packDirectory, paths);
      return { status: 201, body: actionView(record) };
    },
  });
