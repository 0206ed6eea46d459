import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createDefinitionFiles } from '../src/definition-cache';

const ACTION = { pack: 'tests', entry_point: 'workflows/build.yaml' };

describe('the definitions on disk', () => {
  let root: string;
  let nowMs = 0;
  const files = () => createDefinitionFiles([join(root, 'first'), join(root, 'second')], { monotonicMs: () => nowMs });

  async function put(place: 'first' | 'second', text: string): Promise<string> {
    const path = join(root, place, 'tests/actions/workflows/build.yaml');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  }

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'svc-definitions-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('are the same record as long as the file is unchanged', async () => {
    await put('first', 'version: 1.0');
    const { read } = files();
    expect(await read(ACTION, 'orquesta')).toBe(await read(ACTION, 'orquesta'));
  });

  it('are not read through a link that leads out of the pack', async () => {
    const path = await put('first', 'version: 1.0');
    await writeFile(join(root, 'elsewhere.yaml'), 'version: 2.0');
    await rm(path);
    await symlink(join(root, 'elsewhere.yaml'), path);
    await expect(files().read(ACTION, 'orquesta')).rejects.toMatchObject({ code: 'content.file-path' });
  });

  it('are distinguished by the runner', async () => {
    await put('first', 'version: 1.0');
    const { read } = files();
    expect((await read(ACTION, 'orquesta'))!._id).not.toBe((await read(ACTION, 'action-chain'))!._id);
  });

  it('are read again when the file was replaced by one of the same size', async () => {
    const path = await put('first', 'version: 1.0');
    const { read } = files();
    await read(ACTION, 'orquesta');
    await writeFile(`${path}.new`, 'version: 2.0');
    await rename(`${path}.new`, path);
    expect((await read(ACTION, 'orquesta'))!.text).toBe('version: 2.0');
  });

  it('are found in the directory with precedence after a while', async () => {
    await put('second', 'version: 1.0');
    const { read } = files();
    await read(ACTION, 'orquesta');
    await put('first', 'version: 2.0');
    nowMs += 10_000;
    expect((await read(ACTION, 'orquesta'))!.text).toBe('version: 2.0');
  });

  it('are missing without a pack directory, and refused without the file', async () => {
    const { read } = files();
    expect(await read(ACTION, 'orquesta')).toBeUndefined();
    await mkdir(join(root, 'first/tests'), { recursive: true });
    await expect(read(ACTION, 'orquesta')).rejects.toThrow('ENOENT');
  });
});
