import { existsSync } from 'node:fs';
import { chmod, readFile, readdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActionRecord } from '@switchyard/model';
import {
  cloneAction,
  readEntryPoint,
  readPackFile,
  readPackTexts,
  readYaml,
  removeActionFiles,
  writeDataFiles,
  type Clone,
} from '../../src';
import { PackDirectories, actionFile, packFile, writeFiles } from '../support/pack-directory';

const directories = new PackDirectories();
afterEach(() => directories.clear());

/** File names have at most 255 bytes. */
const LONG = 'a'.repeat(400);

const nothing = async () => undefined;

async function aPack(): Promise<string> {
  const pack = join(await directories.root(), 'mine');
  await writeFiles(pack, {
    'pack.yaml': packFile('mine'),
    'actions/run.yaml': actionFile('run', 'entry_point: scripts/run.sh'),
    'actions/scripts/run.sh': 'echo ran',
    'icon.png': Buffer.from([0x89, 0x50, 0, 1]),
  });
  return pack;
}

const everything = async (directory: string) => (await readdir(directory, { recursive: true })).sort();

const action: ActionRecord = {
  _id: '000000000000000000000001',
  ref: 'mine.run',
  uid: 'action:mine:run',
  name: 'run',
  pack: 'mine',
  description: 'Runs.',
  enabled: true,
  runner_type: 'local-shell-script',
  entry_point: 'scripts/run.sh',
  parameters: { p: { type: 'string', default: 'yes' } },
  output_schema: {},
  tags: [],
  notify: { 'on-success': { message: 'done' } },
  metadata_file: 'actions/run.yaml',
  content_hash: 'x',
};

describe('reading files of a pack', () => {
  it('returns their content and modification time', async () => {
    const pack = await aPack();
    const file = await readPackFile(pack, 'actions/scripts/run.sh');
    expect(file.content.toString()).toBe('echo ran');
    expect(file.modifiedMs).toBe((await stat(join(pack, 'actions/scripts/run.sh'))).mtimeMs);
  });

  it.each([
    ['a missing file', 'nope.yaml', 404, 'File "nope.yaml" not found'],
    ['a directory', 'actions', 404, 'File "actions" not found'],
    ['a file below a file', 'pack.yaml/x', 404, 'File "pack.yaml/x" not found'],
    ['a name that no file can have', LONG, 404, `File "${LONG}" not found`],
    ['a path that no file can have', `${'a/'.repeat(3000)}b`, 404, /^File "a\/a.* not found$/],
    ['a link to itself', 'circle', 404, 'File "circle" not found'],
    ['a null character', 'a\0b', 400, /^Invalid file path/],
    ['a path out of the pack', '../mine/pack.yaml', 400, /^Invalid file path/],
    ['an absolute path', '/etc/passwd', 400, /^Invalid file path/],
    ['a path that is not normal', 'actions/../pack.yaml', 400, /^Invalid file path/],
    ['an empty path', '', 400, /^Invalid file path/],
    ['a link that leads out', 'link', 400, /^Invalid file path/],
    ['a large file', 'large.txt', 400, 'File large.txt exceeds maximum allowed file size (500000 bytes)'],
  ])('refuses %s', async (_, path, status, message) => {
    const pack = await aPack();
    await symlink('/etc/hostname', join(pack, 'link'));
    await symlink('circle', join(pack, 'circle'));
    await writeFiles(pack, { 'large.txt': 'x'.repeat(500_001) });
    const expected = typeof message === 'string' ? message : (expect.stringMatching(message) as string);
    await expect(readPackFile(pack, path)).rejects.toMatchObject({ status, message: expected });
  });

  it('lists only text files', async () => {
    const pack = await aPack();
    await symlink('/etc/hostname', join(pack, 'link'));
    expect((await readPackTexts(pack)).map((file) => file.file_path)).toEqual([
      'actions/run.yaml',
      'actions/scripts/run.sh',
      'pack.yaml',
    ]);
  });

  it('finds the entry point of an action', async () => {
    const pack = await aPack();
    expect((await readEntryPoint(pack, action)).content.toString()).toBe('echo ran');
    await expect(readEntryPoint(pack, { ...action, entry_point: '' })).rejects.toMatchObject({
      status: 404,
      message: 'Action ref_or_id=mine.run has no entry_point to output',
    });
    for (const entry_point of ['gone.sh', LONG, 'run.yaml/x.sh', 'scripts']) {
      await expect(readEntryPoint(pack, { ...action, entry_point })).rejects.toMatchObject({ status: 404 });
    }
  });
});

describe('writeDataFiles', () => {
  const files = [
    { file_path: 'scripts/run.sh', content: 'echo new' },
    { file_path: 'deep/er/new.txt', content: 'text' },
  ];

  it('writes below the actions folder and returns the paths', async () => {
    const pack = await aPack();
    const paths = await writeDataFiles(pack, files, async (written) => written);
    expect(paths).toEqual(['actions/scripts/run.sh', 'actions/deep/er/new.txt']);
    expect(await readFile(join(pack, 'actions/scripts/run.sh'), 'utf8')).toBe('echo new');
    expect((await everything(pack)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('restores everything when the record cannot be stored', async () => {
    const pack = await aPack();
    const before = await everything(pack);
    const failing = writeDataFiles(pack, files, () => Promise.reject(new Error('duplicate')));
    await expect(failing).rejects.toThrow('duplicate');
    expect(await everything(pack)).toEqual(before);
    expect(await readFile(join(pack, 'actions/scripts/run.sh'), 'utf8')).toBe('echo ran');
  });

  it('restores everything when a file cannot be written', async () => {
    const pack = await aPack();
    const before = await everything(pack);
    const clash = { file_path: 'run.yaml/x.sh', content: 'x' };
    await expect(writeDataFiles(pack, [...files, clash], nothing)).rejects.toThrow();
    expect(await everything(pack)).toEqual(before);
    expect(await readFile(join(pack, 'actions/scripts/run.sh'), 'utf8')).toBe('echo ran');
  });

  it.each([
    ['a name that is too long', LONG, 'the name is too long'],
    ['a folder whose name is too long', `deep/er/${LONG}/x.sh`, 'the name is too long'],
    ['a path that is too long', `${'deep/'.repeat(3000)}x.sh`, 'the name is too long'],
    ['a path through a file', 'run.yaml/x.sh', 'a part of the path is a file and not a directory'],
    ['a path through a new file', 'deep/er/new.txt/x.sh', 'a part of the path is a file and not a directory'],
    ['a directory', 'scripts', 'it is a directory'],
    ['a path through a link to itself', 'circle/x.sh', /circle|file and not a directory/],
  ])('refuses %s, names the field, and leaves nothing behind', async (_, path, reason) => {
    const pack = await aPack();
    await symlink('circle', join(pack, 'actions/circle'));
    const before = await everything(pack);
    const text = typeof reason === 'string' ? `"${join(pack, 'actions', path)}": ${reason}.` : reason;
    await expect(
      writeDataFiles(pack, [...files, { file_path: path, content: 'x' }], () => Promise.reject(new Error('stored'))),
    ).rejects.toMatchObject({
      status: 400,
      code: 'content.file-unusable',
      message: typeof text === 'string' ? `Unable to write data to ${text}` : (expect.stringMatching(text) as string),
      extra: { field: 'data_files.2.file_path' },
    });
    expect(await everything(pack)).toEqual(before);
    expect(await readFile(join(pack, 'actions/scripts/run.sh'), 'utf8')).toBe('echo ran');
  });

  it('writes a file with the longest possible name', async () => {
    const pack = await aPack();
    const file_path = 'n'.repeat(255);
    await writeDataFiles(pack, [{ file_path, content: 'first' }], nothing);
    await writeDataFiles(pack, [{ file_path, content: 'second' }], nothing);
    expect(await readFile(join(pack, 'actions', file_path), 'utf8')).toBe('second');
  });

  it.each(['../../../x.sh', '../pack.yaml', '/tmp/x.sh', 'a//b.sh', './x.sh', '', '..', 'a\0b'])(
    'refuses the path %j',
    async (path) => {
      const pack = await aPack();
      const text = `Invalid file path: "actions/${path}". File path needs to be relative to the pack actions directory (${pack}/actions/). For example "my_action.py".`;
      await expect(writeDataFiles(pack, [{ file_path: path, content: '' }], nothing)).rejects.toMatchObject({
        status: 400,
        message: text,
      });
    },
  );

  it('refuses to follow a link out of the pack', async () => {
    const [pack, outside] = [await aPack(), await directories.root()];
    await symlink(outside, join(pack, 'actions/out'));
    const writing = writeDataFiles(pack, [{ file_path: 'out/x.sh', content: '' }], nothing);
    await expect(writing).rejects.toMatchObject({ code: 'content.file-path' });
    expect(await everything(outside)).toEqual([]);
  });
});

describe('removeActionFiles', () => {
  it('removes metadata and entry point with the record', async () => {
    const pack = await aPack();
    await removeActionFiles(pack, action, nothing);
    expect(await everything(pack)).toEqual(['actions', 'actions/scripts', 'icon.png', 'pack.yaml']);
  });

  it('accepts missing files and actions without files', async () => {
    const pack = await aPack();
    await removeActionFiles(pack, { metadata_file: 'actions/gone.yaml', entry_point: '' }, nothing);
    await removeActionFiles(pack, { metadata_file: '', entry_point: '' }, nothing);
    expect(existsSync(join(pack, 'actions/run.yaml'))).toBe(true);
  });

  it('does not remove directories that an action names as its files', async () => {
    const pack = await aPack();
    const before = await everything(pack);
    await removeActionFiles(pack, { metadata_file: 'actions', entry_point: 'scripts' }, nothing);
    await removeActionFiles(pack, { metadata_file: LONG, entry_point: 'run.yaml/x' }, nothing);
    expect(await everything(pack)).toEqual(before);
  });

  it('restores the files when the record cannot be removed', async () => {
    const pack = await aPack();
    const before = await everything(pack);
    await expect(removeActionFiles(pack, action, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await everything(pack)).toEqual(before);
  });

  it('names the file that it cannot remove', async () => {
    if (process.getuid?.() === 0) return; // the superuser may remove everything
    const pack = await aPack();
    await chmod(join(pack, 'actions'), 0o555);
    const removing = removeActionFiles(pack, action, nothing);
    await expect(removing).rejects.toMatchObject({
      status: 403,
      message: `No permission to delete "${pack}/actions/run.yaml" file from disk`,
    });
    await chmod(join(pack, 'actions'), 0o755);
  });
});

describe('cloneAction', () => {
  async function cloning(more: Partial<Clone> = {}) {
    const sourceDirectory = await aPack();
    const directory = join(await directories.root(), 'other');
    await writeFiles(directory, { 'pack.yaml': packFile('other') });
    return { source: action, sourceDirectory, directory, pack: 'other', name: 'copy', ...more };
  }

  it('copies the entry point and writes the metadata under the new name', async () => {
    const clone = await cloning();
    const draft = await cloneAction(clone, async (record) => record);
    const { _id, content_hash, ...rest } = action;
    const renamed = { name: 'copy', pack: 'other', ref: 'other.copy', uid: 'action:other:copy' };
    expect(draft).toEqual({ ...rest, ...renamed, entry_point: 'copy.sh', metadata_file: 'actions/copy.yaml' });
    expect(await readFile(join(clone.directory, 'actions/copy.sh'), 'utf8')).toBe('echo ran');
    expect(readYaml(await readFile(join(clone.directory, 'actions/copy.yaml'), 'utf8')).value).toEqual({
      name: 'copy',
      pack: 'other',
      description: 'Runs.',
      enabled: true,
      runner_type: 'local-shell-script',
      entry_point: 'copy.sh',
      parameters: { p: { type: 'string', default: 'yes' } },
      notify: { 'on-success': { message: 'done' } },
    });
  });

  it('places workflow definitions in their own folder', async () => {
    const clone = await cloning({ source: { ...action, runner_type: 'orquesta' } });
    expect((await cloneAction(clone, async (record) => record)).entry_point).toBe('workflows/copy.yaml');
    expect(existsSync(join(clone.directory, 'actions/workflows/copy.yaml'))).toBe(true);
  });

  it('copies an action that has no files', async () => {
    const clone = await cloning({
      source: { ...action, metadata_file: '', entry_point: '' },
      sourceDirectory: undefined,
    });
    expect((await cloneAction(clone, async (record) => record)).entry_point).toBe('');
    expect(await everything(clone.directory)).toEqual(['actions', 'actions/copy.yaml', 'pack.yaml']);
  });

  it('removes the files of the replaced action, unless storing fails', async () => {
    const replaced = { ...action, metadata_file: 'actions/copy.yaml', entry_point: 'old.py' };
    const clone = await cloning({ replaced });
    await writeFiles(clone.directory, { 'actions/copy.yaml': 'old', 'actions/old.py': 'old' });
    await expect(cloneAction(clone, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await readFile(join(clone.directory, 'actions/copy.yaml'), 'utf8')).toBe('old');
    await cloneAction(clone, nothing);
    expect(await everything(clone.directory)).toEqual(['actions', 'actions/copy.sh', 'actions/copy.yaml', 'pack.yaml']);
  });

  it.each([
    ['a system pack', { pack: 'linux' }, "Resources belonging to system level packs can't be manipulated"],
    ['a name with a slash', { name: '../x' }, /cannot be the name of a file/],
    ['an empty name', { name: '' }, /cannot be the name of a file/],
    ['a missing entry point', { source: { ...action, entry_point: 'gone.sh' } }, 'File "gone.sh" not found'],
    ['an entry point outside', { source: { ...action, entry_point: '../../../x' } }, /^Invalid file path|not found/],
    ['a name that is too long', { name: LONG }, /^Unable to write data to ".*": the name is too long\.$/],
    ['an entry point with a long name', { source: { ...action, entry_point: LONG } }, `File "${LONG}" not found`],
    [
      'an entry point below a file',
      { source: { ...action, entry_point: 'run.yaml/x' } },
      'File "run.yaml/x" not found',
    ],
    [
      'an entry point that is a directory',
      { source: { ...action, entry_point: 'scripts' } },
      'File "scripts" not found',
    ],
  ])('refuses %s', async (_, more, message) => {
    const clone = await cloning(more);
    const expected = typeof message === 'string' ? message : (expect.stringMatching(message) as string);
    await expect(cloneAction(clone, nothing)).rejects.toMatchObject({ message: expected });
    expect(await everything(clone.directory)).toEqual(['pack.yaml']);
  });
});
