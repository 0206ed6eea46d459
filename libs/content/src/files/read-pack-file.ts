import { constants, open, type FileHandle } from 'node:fs/promises';
import { relative } from 'node:path';
import { fault } from '@switchyard/base';
import type { ActionRecord } from '@switchyard/model';
import { entryPointPath, refuseLinksOut, resolveInPack } from './pack-path';
import { listPackFiles } from '../packs/find-packs';
import { isDenied, isMissingFile } from './change-files';

/** Larger files are not returned. */
export const MAX_FILE_BYTES = 500_000;

export interface PackFile {
  content: Buffer;
  modifiedMs: number;
}

/**
 * Reads a file of a pack. @param path relative to the pack
 * @throws Fault `content.file-path`, `content.file-not-found`, `content.read-denied`, `content.file-too-large`
 */
export async function readPackFile(packDirectory: string, path: string): Promise<PackFile> {
  const absolute = resolveInPack(packDirectory, path);
  const handle = await openFile(absolute, path);
  try {
    await refuseLinksOut(packDirectory, absolute);
    const stat = await handle.stat();
    if (!stat.isFile()) throw fault('content.file-not-found', { path });
    if (stat.size > MAX_FILE_BYTES) throw fault('content.file-too-large', { path, limit: MAX_FILE_BYTES });
    return { content: await handle.readFile(), modifiedMs: stat.mtimeMs };
  } finally {
    await handle.close();
  }
}

/** Reads the text files of a pack. Leaves out files that are binary, too large, missing or outside of the pack. */
export async function readPackTexts(packDirectory: string): Promise<{ file_path: string; content: string }[]> {
  const texts: { file_path: string; content: string }[] = [];
  for (const path of await listPackFiles(packDirectory)) {
    const file = await readPackFile(packDirectory, path).catch(() => undefined);
    if (file && !isBinary(file.content)) texts.push({ file_path: path, content: file.content.toString() });
  }
  return texts;
}

/**
 * Reads the entry point of an action. @throws Fault `content.no-entry-point` when it has none, and those of `readPackFile`
 */
export async function readEntryPoint(
  packDirectory: string,
  { ref, entry_point: entryPoint }: Pick<ActionRecord, 'ref' | 'entry_point'>,
): Promise<PackFile> {
  if (entryPoint === '') throw fault('content.no-entry-point', { ref });
  return readPackFile(packDirectory, relative(packDirectory, entryPointPath(packDirectory, entryPoint)));
}

async function openFile(absolute: string, path: string): Promise<FileHandle> {
  try {
    // Opened non-blocking: a named pipe in a pack would otherwise block this request.
    return await open(absolute, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (isMissingFile(error)) throw fault('content.file-not-found', { path }, { cause: error });
    if (isDenied(error)) throw fault('content.read-denied', { path }, { cause: error });
    throw error;
  }
}

const PROBE_BYTES = 1024;

/** The interface counts files with a NUL byte near the start or a byte order mark as binary. */
function isBinary(content: Buffer): boolean {
  const start = content.subarray(0, PROBE_BYTES);
  const marks = [Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];
  return start.includes(0) || marks.some((mark) => start.subarray(0, mark.length).equals(mark));
}
