import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { stringify } from 'yaml';
import { answerTo, apiClient, type ActionDetail } from '../api/client';
import { keys } from '../api/queries';

/** A workflow as the author found it. */
export interface StoredWorkflow {
  readonly action: ActionDetail;
  readonly text: string;
}

export const storedWorkflow = (ref: string) =>
  queryOptions({
    queryKey: ['stored workflow', ref],
    queryFn: async (): Promise<StoredWorkflow> => {
      const params = { path: { ref_or_id: ref } };
      const [action, text] = await Promise.all([
        answerTo(apiClient.GET('/api/v1/actions/{ref_or_id}', { params })),
        answerTo(apiClient.GET('/api/v1/actions/views/entry_point/{ref_or_id}', { params, parseAs: 'text' })),
      ]);
      return { action, text: String(text) };
    },
    // The editor keeps the text that it was opened with.
    staleTime: 0,
    gcTime: 0,
  });

/** Replaces the definition of a workflow, and keeps what else the action has. */
export async function saveDefinition({ id, uid: _uid, ref: _ref, ...kept }: ActionDetail, text: string): Promise<void> {
  const body = { ...kept, data_files: [{ file_path: kept.entry_point, content: text }] };
  const params = { path: { ref_or_id: id } };
  await answerTo(apiClient.PUT('/api/v1/actions/{ref_or_id}', { params, body: body as never }));
}

export interface NewWorkflow {
  readonly pack: string;
  readonly name: string;
  readonly description: string;
  /** Parameter definitions by name. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Creates the action of a workflow, with its metadata and its definition as files of the pack. */
export async function createWorkflow({ pack, ...about }: NewWorkflow, text: string): Promise<ActionDetail> {
  const entry = `workflows/${about.name}.yaml`;
  const metadata = { ...about, runner_type: 'orquesta', entry_point: entry, enabled: true };
  const body = {
    ...metadata,
    pack,
    metadata_file: `actions/${about.name}.yaml`,
    data_files: [
      { file_path: `${about.name}.yaml`, content: stringify(metadata, { lineWidth: 120 }) },
      { file_path: entry, content: text },
    ],
  };
  return answerTo(apiClient.POST('/api/v1/actions', { body: body as never }));
}

/** Reads again what other pages show of a workflow. */
export const forgetWorkflow = (client: QueryClient, ref: string) =>
  Promise.all([
    client.invalidateQueries({ queryKey: keys.actions }),
    client.invalidateQueries({ queryKey: keys.action(ref) }),
    client.invalidateQueries({ queryKey: ['definition', ref] }),
  ]);
