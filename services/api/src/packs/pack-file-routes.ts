import { fault } from '@switchyard/base';
import { readPackFile, readPackTexts, type PackFile } from '@switchyard/content';
import { route, type Route, type RouteResponse } from '@switchyard/http';
import { Type } from '@sinclair/typebox';
import type { ApiDependencies } from '../api-dependencies';
import { contentType } from './content-type';
import { packDirectory } from './pack-directory';
import { findPack } from './pack-view';
import { guardedRecord } from '../permissions/guarded-record';

export const packFileRoutes = (deps: ApiDependencies): Route[] => [packTextsRoute(deps), packFileRoute(deps)];

/** Attributes that every list of packs shows. */
const PUBLIC_FILE = 'icon.png';

const packTextsRoute = ({ store, packRoots }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/packs/views/files/{ref_or_id}',
    operation: 'packs_views_files.get_one',
    summary: 'The text files of a pack',
    permission: 'pack_view',
    resource: ({ params }) => guardedRecord('pack', store.packs, params.ref_or_id),
    response: {
      status: 200,
      schema: Type.Array(Type.Object({ file_path: Type.String(), content: Type.String() }, { title: 'PackText' })),
    },
    async handle(request) {
      const { ref } = await findPack(store, request);
      const directory = await packDirectory(packRoots, ref);
      return { status: 200, body: directory === undefined ? [] : await readPackTexts(directory) };
    },
  });

const packFileRoute = ({ store, packRoots }: ApiDependencies): Route =>
  route({
    method: 'GET',
    path: '/packs/views/file/{ref_or_id}/{file_path+}',
    operation: 'packs_views_file.get_one',
    summary: 'One file of a pack',
    permission: 'pack_view',
    resource: ({ params }) =>
      params.file_path === PUBLIC_FILE ? undefined : guardedRecord('pack', store.packs, params.ref_or_id),
    response: { status: 200, type: 'application/octet-stream' },
    async handle(request): Promise<RouteResponse> {
      const { file_path: path = '' } = request.params;
      const { ref } = await findPack(store, request);
      const directory = await packDirectory(packRoots, ref);
      if (directory === undefined) throw fault('content.file-not-found', { path });
      const file = await readPackFile(directory, path);
      const marks = { ETag: `"${file.modifiedMs}"`, 'Last-Modified': new Date(file.modifiedMs).toUTCString() };
      if (isKnown(request, marks)) return { status: 304, headers: marks };
      return fileResponse(path, file, marks);
    },
  });

type Marks = Readonly<Record<'ETag' | 'Last-Modified', string>>;

/**
 * If there is an ETag, it decides alone. A time is compared as text and matches only if it is the one that this API
 * sent.
 */
function isKnown({ header }: { header(name: string): string | undefined }, marks: Marks): boolean {
  const tags = header('if-none-match');
  if (tags === undefined) return header('if-modified-since') === marks['Last-Modified'];
  return tags.split(',').some((tag) => [marks.ETag, '*'].includes(tag.trim().replace(/^W\//, '')));
}

const fileResponse = (path: string, { content }: PackFile, marks: Marks): RouteResponse => ({
  status: 200,
  bytes: content,
  headers: { ...marks, 'Content-Type': contentType(path, 'application/octet-stream') },
});
