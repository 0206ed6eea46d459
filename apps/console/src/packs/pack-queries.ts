import { queryOptions } from '@tanstack/react-query';
import { answerTo, apiClient, ApiFailure } from '../api/client';
import { keys } from '../api/queries';

export const allPacks = () =>
  queryOptions({
    queryKey: keys.packs,
    queryFn: () =>
      answerTo(
        apiClient.GET('/api/v1/packs', {
          params: { query: { limit: -1, include_attributes: 'id,ref,name,version,description,keywords' } as never },
        }),
      ),
  });

export const packOf = (ref: string) =>
  queryOptions({
    queryKey: keys.pack(ref),
    queryFn: () => answerTo(apiClient.GET('/api/v1/packs/{ref_or_id}', { params: { path: { ref_or_id: ref } } })),
  });

/** The packs that can be installed by name, and the state of each index. */
export const packIndex = () =>
  queryOptions({
    queryKey: keys.packIndex,
    queryFn: () => answerTo(apiClient.GET('/api/v1/packs/index')),
    staleTime: 300_000,
    retry: false,
  });

/** The text of a file of a pack. */
export const packFile = (ref: string, file: string) =>
  queryOptions({
    queryKey: [...keys.pack(ref), file],
    queryFn: () =>
      answerTo(
        apiClient.GET('/api/v1/packs/views/file/{ref_or_id}/{file_path}', {
          params: { path: { ref_or_id: ref, file_path: file } },
          parseAs: 'text',
        }),
      ),
  });

/** The fields and the masked values of a pack's configuration. Without a schema there are no fields. */
export const packConfiguration = (ref: string) =>
  queryOptions({
    queryKey: keys.packConfiguration(ref),
    queryFn: async () => {
      const params = { path: { pack_ref: ref } };
      const [schema, stored] = await Promise.all([
        unlessMissing(answerTo(apiClient.GET('/api/v1/config_schemas/{pack_ref}', { params }))),
        unlessMissing(answerTo(apiClient.GET('/api/v1/configs/{pack_ref}', { params }))),
      ]);
      if (stored?.error !== undefined) throw new Error(stored.error);
      return { fields: schema?.attributes, values: stored?.values ?? {} };
    },
  });

const unlessMissing = <D>(answer: Promise<D>): Promise<D | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof ApiFailure && error.status === 404) return undefined;
    throw error;
  });
