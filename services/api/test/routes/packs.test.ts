import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiFixture, type ApiFixture } from '../support/api-fixture';

let api: ApiFixture;
const overrides = { actionrunner: { python_binary: '/nowhere/python' } };
beforeAll(async () => void (api = await apiFixture({ overrides })));
afterAll(() => api.close());

describe('Packs', () => {
  it('are listed and read', async () => {
    const { body, headers } = await api.ada.get('packs?include_attributes=ref&limit=2');
    expect(body.map(({ ref }: { ref: string }) => ref)).toEqual(['chatops', 'core']);
    expect(headers).toMatchObject({ 'x-limit': '2' });
    expect((await api.ada.get('packs?ref=core&include_attributes=nope')).body).toEqual([{ id: expect.any(String) }]);
    expect((await api.ada.get('packs/core')).body).toMatchObject({
      ref: 'core',
      uid: 'pack:core',
      version: expect.any(String),
    });
    const unknown = await api.ada.get('packs/CORE').expect(404);
    expect(unknown.body.faultstring).toBe('Resource with a ref or id "CORE" not found');
  });

  it('are registered from disk', async () => {
    const directory = join(api.packs, 'mine');
    await mkdir(join(directory, 'actions'), { recursive: true });
    await writeFile(
      join(directory, 'pack.yaml'),
      'name: mine\ndescription: d\nversion: 1.0.0\nauthor: a\nshade: blue\n',
    );
    await writeFile(join(directory, 'actions/one.yaml'), 'name: one\nrunner_type: noop\n');
    const { status, body } = await api.ada.post('packs/register', { packs: ['mine'], types: ['action'] });
    expect([status, body]).toEqual([200, expect.objectContaining({ actions: 1, runners: expect.any(Number) })]);
    await api.ada.get('actions/mine.one').expect(200);
    expect((await api.ada.get('packs/mine')).body).toMatchObject({ shade: 'blue' });
    await writeFile(join(directory, 'actions/one.yaml'), 'name: one\nrunner_type: nope\n');
    const bad = await api.ada.post('packs/register', { packs: ['mine'], fail_on_failure: true }).expect(400);
    expect(bad.body.faultstring).toContain('one.yaml');
    const failures = [expect.objectContaining({ pack: 'mine', type: 'action', line: 2, field: 'runner_type' })];
    const kept = await api.ada.post('packs/register', { packs: ['mine'], types: ['action'] }).expect(200);
    expect(kept.body).toMatchObject({ actions: 0, failures });
    const checked = await api.ada.post('packs/register', { packs: ['mine'], check_only: true }).expect(200);
    expect(checked.body).toEqual({ failures });
  });

  it.each([
    [{ packs: ['none'] }, 'Pack "none" not found on disk'],
    [{ packs: 'core' }, "'core' is not of type 'array'"],
    [{ types: ['nonsense'] }, "'nonsense' is not one of"],
    [{ fail_on_failure: 'yes' }, "'yes' is not of type 'boolean'"],
    [{ setup_virtualenvs: 1 }, "1 is not of type 'boolean'"],
    [{ proxies: { ftp_proxy: 'x' } }, "'ftp_proxy' was unexpected"],
    [{ packs: ['none'], types: [], setup_virtualenvs: true }, 'Pack "none" not found on disk'],
    [[], "[] is not of type 'object'"],
  ])('registering %j is refused', async (body, text) => {
    const answer = await api.ada.post('packs/register', body);
    expect([answer.status, answer.body.faultstring]).toEqual([400, expect.stringContaining(text)]);
  });

  it('are all registered if the list of packs is empty', async () => {
    const [all, empty] = [{}, { packs: [] }].map((body) => ({ ...body, types: ['action', 'rule'] }));
    const { body } = await api.ada.post('packs/register', all).expect(200);
    expect(body.actions).toBeGreaterThan(0);
    expect((await api.ada.post('packs/register', empty).expect(200)).body).toEqual(body);
  });

  it('need no virtual environment without Python, and are distinguished from those whose environment fails', async () => {
    const directory = join(api.packs, 'scripted');
    await mkdir(join(directory, 'actions'), { recursive: true });
    await writeFile(join(directory, 'pack.yaml'), 'name: scripted\ndescription: d\nversion: 1.0.0\nauthor: a\n');
    const setUp = (more = {}) =>
      api.ada.post('packs/register', { packs: ['scripted', 'core'], types: [], setup_virtualenvs: true, ...more });
    expect((await setUp().expect(200)).body).toEqual({ virtualenvs: 0 });
    await writeFile(join(directory, 'actions/one.py'), '');
    const failed = await setUp().expect(400);
    expect(failed.body.faultstring).toContain('virtual environment of the pack "scripted" cannot be set up');
    expect((await setUp({ fail_on_failure: false }).expect(200)).body).toEqual({ virtualenvs: 0 });
    const told = (await setUp({ packs: ['core', 'scripted'], follow: true }).expect(200)).text;
    expect(told).toMatch(
      /^event: progress\ndata: core: needs no virtual environment\n\nevent: fault\ndata: .*could not start \/nowhere\/python/m,
    );
    expect((await setUp({ packs: ['core'], follow: true })).text).toContain('event: result\ndata: {"virtualenvs":0}\n');
    expect(api.log.filter(({ level }) => level === 'error').map(({ fields }) => fields)).toContainEqual({
      pack: 'scripted',
    });
  });

  it('show their files', async () => {
    const { body } = await api.ada.get('packs/views/files/core');
    expect(body).toContainEqual({ file_path: 'pack.yaml', content: expect.stringContaining('name') });
    const file = await api.ada.get('packs/views/file/core/actions/noop.yaml');
    expect([file.status, file.headers['content-type']]).toEqual([200, 'application/x-yaml']);
    const { etag, 'last-modified': modified } = file.headers as Record<string, string>;
    expect(etag).toMatch(/^".+"$/);
    const again = (name: string, value: string) =>
      api.ada.get('packs/views/file/core/actions/noop.yaml').set(name, value);
    await again('if-none-match', etag as string).expect(304);
    await again('if-modified-since', modified as string).expect(304);
    await again('if-none-match', '"other"')
      .set('if-modified-since', modified as string)
      .expect(200);
  });

  it.each([
    ['core/nope.yaml', 404, 'File "nope.yaml" not found'],
    ['core/actions', 404, 'File "actions" not found'],
    ['none/pack.yaml', 404, 'Resource with a ref or id "none" not found'],
    ['core/..%2Fdefault%2Fpack.yaml', 400, 'Invalid file path'],
    ['core', 404, 'The resource could not be found.'],
    [`core/${'a'.repeat(400)}`, 404, 'File "aaaa'],
    ['core/actions/noop.yaml/x', 404, 'File "actions/noop.yaml/x" not found'],
    ['core/no%00pe', 400, 'Invalid file path'],
    [`${'a'.repeat(400)}/pack.yaml`, 404, 'Resource with a ref or id "aaaa'],
  ])('the file %s is a %i', async (path, status, text) => {
    const answer = await api.ada.get(`packs/views/file/${path}`);
    expect([answer.status, answer.body.faultstring]).toEqual([status, expect.stringContaining(text)]);
  });
});
