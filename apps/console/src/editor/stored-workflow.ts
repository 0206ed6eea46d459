import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { stringify } from 'yaml';
import { answerTo, apiClient, ApiFailure, responseTo, type ActionDetail } from '../api/client';
import { keys } from '../api/queries';

/** A workflow as the author found it. */
export interface StoredWorkflow {
  readonly action: ActionDetail;
  readonly text: string;
  /** The version of both, an ETag. */
  readonly version: string | null;
}

export const storedWorkflow = (ref: string) =>
  queryOptions({
    queryKey: ['stored workflow', ref],
    queryFn: async (): Promise<StoredWorkflow> => {
      const params = { path: { ref_or_id: ref } };
      // The version is read first, so that it is never newer than the action.
      const { data: text, headers } = await responseTo(
        apiClient.GET('/api/v1/actions/views/entry_point/{ref_or_id}', { params, parseAs: 'text' }),
      );
      const action = await answerTo(apiClient.GET('/api/v1/actions/{ref_or_id}', { params }));
      return { action, text: String(text), version: headers.get('etag') };
    },
    // The editor keeps the text that it was opened with.
    staleTime: 0,
    gcTime: 0,
  });

const OUTDATED = 412;

/**
 * Replaces the definition of a workflow, and keeps what else the action has.
 * @returns false if somebody has changed the workflow since; then nothing is written
 */
export async function saveDefinition({ action, version }: StoredWorkflow, text: string): Promise<boolean> {
  const { id: _id, uid: _uid, ref, ...kept } = action;
  const body = { ...kept, data_files: [{ file_path: kept.entry_point, content: text }] };
  const params = { path: { ref_or_id: ref } };
  const headers = version === null ? {} : { 'If-Match': version };
  try {
    await answerTo(apiClient.PUT('/api/v1/actions/{ref_or_id}', { params, headers, body: body as never }));
    return true;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === OUTDATED) return false;
    throw error;
  }
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
