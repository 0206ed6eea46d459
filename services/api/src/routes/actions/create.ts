import { newId } from '@switchyard/base';
import { checkAction, writeDataFiles } from '@switchyard/content';
import { route, type Route } from '@switchyard/http';
import { actionSchema, actionView } from '../../actions/action-view';
import { filesWritten } from '../../actions/files-written';
import { insertAction } from '../../actions/write-action';
import type { ApiDependencies } from '../../api-dependencies';

export const createActionRoute = (deps: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/actions',
    operation: 'actions.create',
    summary: 'Create an action, with the files that it needs',
    permission: 'action_create',
    // Checked whole by the rules for content, which know more than a schema can say.
    body: 'any',
    response: { status: 201, schema: actionSchema },
    async handle({ body, requester }) {
      const { store, packRoots: roots, logger } = deps;
      const runnerTypes = await store.runnerTypes.list();
      const { action, dataFiles, packDirectory } = await checkAction(body, { roots, runnerTypes });
      const { record, paths } = await writeDataFiles(packDirectory, dataFiles, async (written) => ({
        record: await insertAction(store.actions, { _id: newId(), ...action }),
        paths: written,
      }));
      logger.audit('Action created.', { action: record.ref, files: paths, user: requester.user });
      await filesWritten(deps, record, paths);
      return { status: 201, body: actionView(record) };
    },
  });
