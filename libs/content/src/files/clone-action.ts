import { readFile } from 'node:fs/promises';
import { extname, join, posix } from 'node:path';
import { fault } from '@switchyard/base';
import { SYSTEM_PACKS, toReference, toUid, type ActionRecord } from '@switchyard/model';
import { ACTIONS, entryPointPath, refuseLinksOut } from './pack-path';
import type { ActionDraft } from '../actions/inspect-action';
import { refuseSystemPack } from '../actions/check-action';
import { FileChangeFailed, changeFiles, type FileChange, isDenied, isMissingFile } from './change-files';
import { actionFilePaths, writeFault } from './action-files';

export interface Clone {
  source: ActionRecord;
  /** Directory of the source's pack; undefined when it is not on disk. */
  sourceDirectory: string | undefined;
  /** Directory of the destination pack. */
  directory: string;
  pack: string;
  name: string;
  /** An existing action to overwrite: its files are removed. */
  replaced?: ActionRecord;
}

/** Workflow definitions of these runners go into their own folder, so that they are not mistaken for metadata. */
const WORKFLOW_RUNNERS: readonly string[] = ['orquesta', 'action-chain'];

/**
 * Copies the files of an action under another name, then runs `work`, which stores the copy's record. If either fails, the
 * files are restored. Metadata is generated from the record, because not every action has a metadata file.
 * @throws Fault `content.system-pack`, `content.destination-name`, `content.file-not-found` for a missing entry point,
 *   `content.read-denied`, `content.file-unusable` for a name that is too long, `content.copy-denied`
 */
export async function cloneAction<T>(clone: Clone, work: (draft: ActionDraft) => Promise<T>): Promise<T> {
  refuseSystemPack(clone.pack, SYSTEM_PACKS);
  if (!/^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u.test(clone.name)) throw fault('content.destination-name', { name: clone.name });
  const draft = draftOf(clone);
  const copied = await filesOf(clone, draft);
  const kept = new Set(copied.map(({ path }) => path));
  const removed = (clone.replaced ? actionFilePaths(clone.directory, clone.replaced) : [])
    .filter((path) => !kept.has(path))
    .map((path): FileChange => ({ path }));
  for (const { path } of copied) await refuseLinksOut(clone.directory, path);
  try {
    return await changeFiles([...removed, ...copied], () => work(draft));
  } catch (error) {
    if (!(error instanceof FileChangeFailed)) throw error;
    if (isDenied(error.cause)) throw fault('content.copy-denied', { path: error.change.path }, { cause: error });
    throw writeFault(error, 'dest_action');
  }
}

function draftOf({ source, pack, name }: Clone): ActionDraft {
  const { _id, content_hash, ...rest } = source;
  return {
    ...rest,
    name,
    pack,
    ref: toReference(pack, name),
    uid: toUid('action', pack, name),
    entry_point: source.entry_point === '' ? '' : entryPointOf(source, name),
    metadata_file: posix.join(ACTIONS, `${name}.yaml`),
  };
}

const entryPointOf = ({ runner_type: runner, entry_point: entryPoint }: ActionRecord, name: string): string =>
  WORKFLOW_RUNNERS.includes(runner) ? `workflows/${name}.yaml` : `${name}${extname(entryPoint)}`;

async function filesOf({ source, sourceDirectory, directory }: Clone, draft: ActionDraft): Promise<FileChange[]> {
  const { stringify } = await import('yaml');
  const metadata = { path: join(directory, draft.metadata_file), content: stringify(metadataOf(draft), yamlStyle) };
  if (draft.entry_point === '') return [metadata];
  const content = await readSource(sourceDirectory, source.entry_point);
  return [metadata, { path: entryPointPath(directory, draft.entry_point), content }];
}

const yamlStyle = { version: '1.1', aliasDuplicateObjects: false } as const;

function metadataOf({ ref, uid, metadata_file, output_schema, tags, notify, ...rest }: ActionDraft): object {
  const filled = Object.entries({ output_schema, tags, notify }).filter(([, value]) => Object.keys(value).length > 0);
  return { ...rest, ...Object.fromEntries(filled) };
}

async function readSource(directory: string | undefined, entryPoint: string): Promise<Buffer> {
  if (directory === undefined) throw fault('content.file-not-found', { path: entryPoint });
  const path = entryPointPath(directory, entryPoint);
  try {
    await refuseLinksOut(directory, path);
    return await readFile(path);
  } catch (error) {
    if (isDenied(error)) throw fault('content.read-denied', { path: entryPoint }, { cause: error });
    if (isMissingFile(error)) throw fault('content.file-not-found', { path: entryPoint }, { cause: error });
    throw error;
  }
}
