import { posix } from 'node:path';
import { fault, newId } from '@switchyard/base';
import { cloneAction, refuseSystemPack, requireActionsPack } from '@switchyard/content';
import { route, type Route } from '@switchyard/http';
import { SYSTEM_PACKS, toReference, toUid, type ActionRecord } from '@switchyard/model';
import { actionAnswer } from '@switchyard/model/resources';
import { Type, type Static } from '@sinclair/typebox';
import { actionView } from './action-view';
import { filesWritten } from './files-written';
import { findAction } from './find-action';
import { insertAction, overwriteAction } from './write-action';
import type { ApiDependencies } from '../api-dependencies';
import { packDirectory } from '../packs/pack-directory';
import { guardedRecord } from '../permissions/guarded-record';

const cloneBody = Type.Object(
  { dest_pack: Type.String(), dest_action: Type.String(), overwrite: Type.Optional(Type.Boolean({ default: false })) },
  { title: 'ActionClone', additionalProperties: false },
);
type CloneBody = Static<typeof cloneBody>;

export const cloneActionRoute = (deps: ApiDependencies): Route =>
  route({
    method: 'POST',
    path: '/actions/{ref_or_id}/clone',
    operation: 'actions.clone',
    summary: 'Copy an action under another name',
    permission: 'action_create',
    async resource({ params, body: { dest_pack: pack, dest_action: name, overwrite } }) {
      const source = await guardedRecord('action', deps.store.actions, params.ref_or_id);
      const copied = { uid: toUid('action', pack, name) };
      const replaced = overwrite === true ? [{ ...copied, permission: 'action_delete' }] : [];
      return [{ ...source, permission: 'action_view' }, copied, ...replaced];
    },
    body: cloneBody,
    response: { status: 201, schema: actionAnswer },
    async handle(request) {
      const source = await findAction(deps.store, request);
      const { record, directory } = await copy(deps, source, request.body);
      deps.logger.audit('Action cloned.', { action: source.ref, copy: record.ref, user: request.requester.user });
      await filesWritten(deps, record, directory, filesOf(record));
      return { status: 201, body: actionView(record) };
    },
  });

async function copy({ store, packRoots }: ApiDependencies, source: ActionRecord, asked: CloneBody) {
  const { dest_pack: pack, dest_action: name, overwrite = false } = asked;
  refuseSystemPack(pack, SYSTEM_PACKS);
  if (!(await store.packs.byKey(pack))) throw fault('content.no-destination-pack', { pack });
  const replaced = await store.actions.byKey(toReference(pack, name));
  if (replaced && !overwrite) throw fault('content.destination-exists');
  const directory = await requireActionsPack(packRoots, pack);
  const clone = {
    source,
    sourceDirectory: await packDirectory(packRoots, source.pack),
    directory,
    pack,
    name,
    ...(replaced ? { replaced } : {}),
  };
  const record = await cloneAction(clone, async (draft) => {
    const made = { _id: newId(), ...draft };
    return replaced ? overwriteAction(store.actions, replaced, made) : insertAction(store.actions, made);
  });
  return { record, directory };
}

const filesOf = ({ metadata_file: metadata, entry_point: entry }: ActionRecord): string[] => [
  metadata,
  ...(entry === '' ? [] : [posix.join('actions', entry)]),
];
