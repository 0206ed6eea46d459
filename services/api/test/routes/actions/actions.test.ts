import { readFile, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { apiFixture, type ApiFixture } from '../../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => void (api = await apiFixture()));
afterAll(() => api.close());

let last = 0;
const newName = () => `a${String(++last).padStart(3, '0')}`;
const create = async (fields: object = {}) => {
  const name = newName();
  const { body } = await api.ada.post('actions', { name, runner_type: 'noop', ...fields }).expect(201);
  return body as { id: string; ref: string; name: string; tags: unknown };
};
const actionFile = (path: string) => join(api.packs, 'default/actions', path);

describe('Actions', () => {
  it('are created, read by reference and id, and deleted', async () => {
    const made = await create({ description: 'd', tags: [{ name: 't', value: 'v', other: 1 }, { name: 'u' }] });
    expect(made).toMatchObject({ ref: `default.${made.name}`, uid: `action:default:${made.name}`, enabled: true });
    expect(made.tags).toEqual([
      { name: 't', value: 'v' },
      { name: 'u', value: '' },
    ]);
    for (const key of [made.id, made.ref]) expect((await api.ada.get(`actions/${key}`)).body).toEqual(made);
    await api.ada.delete(`actions/${made.ref}`).expect(204);
    const gone = await api.ada.get(`actions/${made.id}`).expect(404);
    expect(gone.body.faultstring).toBe(`Resource with a reference or id "${made.id}" not found`);
  });

  it('cannot take the reference of another action', async () => {
    const made = await create();
    const again = await api.ada.post('actions', { name: made.name, runner_type: 'noop' });
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ 'conflict-id': made.id, faultstring: expect.stringContaining(made.ref) });
  });

  it.each([
    [[], "[] is not of type 'object'"],
    [{ runner_type: 'noop' }, "'name' is a required property"],
    [{ name: 'x', runner_type: 'nope' }, 'RunnerType nope is not found.'],
    [{ name: 'x', runner_type: 'run-local' }, 'The new name of run-local is local-shell-cmd.'],
    [{ name: 'x', runner_type: 'run-http' }, 'The new name of run-http is http-request.'],
    [{ name: 'x', runner_type: 'windows-script' }, 'windows-script was removed; use winrm-ps-script instead.'],
    [
      { name: 'x', runner_type: 'noop', pack: 'core' },
      "Resources belonging to system level packs can't be manipulated",
    ],
    [{ name: 'x', runner_type: 'noop', pack: 'none' }, 'Content pack "none" is not found'],
    [{ name: 'x', runner_type: 'noop', colour: 1 }, "Additional properties are not allowed ('colour' was unexpected)"],
    [
      { name: 'x', runner_type: 'noop', data_files: [{ file_path: '../../x', content: '' }] },
      'Invalid file path: "actions/../../x"',
    ],
  ])('%j is refused, and nothing is written', async (body, text) => {
    const answer = await api.ada.post('actions', body);
    expect([answer.status, answer.body.faultstring]).toEqual([400, expect.stringContaining(text)]);
    await api.ada.get('actions/default.x').expect(404);
  });

  it.each([
    [{ name: 5 }, 'name', "5 is not of type 'string'"],
    [{ name: null }, 'name', "None is not of type 'string'"],
    [{ tags: [{ value: 5 }] }, 'tags.0.value', "5 is not of type 'string'"],
  ])('%j is refused with the text of StackStorm, and the field', async (fields, field, faultstring) => {
    const { status, body } = await api.ada.post('actions', { name: 'x', runner_type: 'noop', ...fields });
    expect({ status, ...body }).toEqual({ status: 400, field, faultstring });
  });

  it('are replaced, keeping their ids', async () => {
    const made = await create({ description: 'd' });
    const { status, body } = await api.ada.put(`actions/${made.ref}`, {
      id: '000000000000000000000001',
      name: made.name,
      runner_type: 'noop',
      enabled: false,
    });
    expect([status, body.id, body.enabled, body.description]).toEqual([200, made.id, false, undefined]);
    const renamed = await api.ada.put(`actions/${made.id}`, { name: newName(), runner_type: 'noop' });
    expect(renamed.body.id).toBe(made.id);
    await api.ada.get(`actions/${made.ref}`).expect(404);
    await api.ada.put(`actions/${made.ref}`, { name: made.name, runner_type: 'noop' }).expect(404);
    await api.ada.put(`actions/${made.ref}`, {}).expect(400);
    const system = await api.ada.put('actions/core.noop', { name: 'noop', runner_type: 'noop' });
    expect(system.body.faultstring).toContain('system level packs');
  });

  it('are replaced only in the version that If-Match names, by one of two requests at a time', async () => {
    const entry_point = 'scripts/versions.sh';
    const bodyWith = (content: string) => ({ data_files: [{ file_path: entry_point, content }] });
    const made = await create({ runner_type: 'local-shell-script', entry_point, ...bodyWith('echo one') });
    const kept = { name: made.name, runner_type: 'local-shell-script', entry_point };
    const version = async () => {
      const { headers } = await api.ada.get(`actions/views/entry_point/${made.ref}`);
      expect(headers['access-control-expose-headers']).toContain('ETag');
      return headers['etag'] as string;
    };
    const put = (text: string, tag: string, more: object = {}) =>
      api.ada.put(`actions/${made.ref}`, { ...kept, ...more, ...bodyWith(text) }).set('if-match', tag);
    const first = await version();
    expect(await version()).toBe(first);
    const both = await Promise.all([put('echo two', first), put('echo three', first)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect(both.find(({ status }) => status === 412)?.body.faultstring).toContain('If-Match');
    const written = await readFile(actionFile(entry_point), 'utf8');
    expect(written).toBe(both[0].status === 200 ? 'echo two' : 'echo three');
    const second = await version();
    await put(written, `"other", W/${second}`, { description: 'only the record changes' }).expect(200);
    await put('echo four', second).expect(412);
    await put('echo five', '*').expect(200);
    expect(await readFile(actionFile(entry_point), 'utf8')).toBe('echo five');
    await rm(actionFile(entry_point));
    await put('echo six', second).expect(412);
  });

  it('write their files, dispatch the trigger, and delete their files', async () => {
    const entry_point = 'scripts/one.sh';
    const data_files = [{ file_path: entry_point, content: 'echo one\n' }];
    const made = await create({ runner_type: 'local-shell-script', entry_point, data_files });
    expect(await readFile(actionFile(entry_point), 'utf8')).toBe('echo one\n');
    expect((await api.ada.get('packs/default')).body.files).toContain(`actions/${entry_point}`);
    expect(await api.store.triggerInstances.list()).toContainEqual(
      expect.objectContaining({
        trigger: 'core.st2.action.file_written',
        payload: { ref: made.ref, file_path: actionFile(entry_point), host_info: { hostname: expect.any(String) } },
      }),
    );
    const { text, headers } = await api.ada.get(`actions/views/entry_point/${made.ref}`);
    expect([text, headers['content-type']]).toEqual(['echo one\n', 'application/x-sh']);
    await api.ada.delete(`actions/${made.ref}`, { remove_files: 'maybe' }).expect(400);
    await api.ada.delete(`actions/${made.ref}`, { remove_files: true }).expect(204);
    expect(existsSync(actionFile(entry_point))).toBe(false);
  });

  it('report the field of a file that cannot be written, and are not created', async () => {
    const data_files = [
      { file_path: 'first.sh', content: '' },
      { file_path: `${'n'.repeat(400)}.sh`, content: '' },
    ];
    const { status, body } = await api.ada.post('actions', { name: 'unwritten', runner_type: 'noop', data_files });
    expect([status, body]).toEqual([
      400,
      { field: 'data_files.1.file_path', faultstring: expect.stringContaining('the name is too long') },
    ]);
    expect(existsSync(actionFile('first.sh'))).toBe(false);
    await api.ada.get('actions/default.unwritten').expect(404);
  });

  it('leave no files behind when they are refused', async () => {
    const made = await create();
    const data_files = [{ file_path: 'left.sh', content: '' }];
    await api.ada.post('actions', { name: made.name, runner_type: 'noop', data_files }).expect(409);
    expect(existsSync(actionFile('left.sh'))).toBe(false);
  });

  it('are copied', async () => {
    const dest_action = newName();
    const clone = (source: string, more = {}) =>
      api.ada.post(`actions/${source}/clone`, { dest_pack: 'default', dest_action, ...more });
    const first = await clone('core.echo').expect(201);
    expect(first.body).toMatchObject({ ref: `default.${dest_action}`, metadata_file: `actions/${dest_action}.yaml` });
    expect((await clone('core.echo').expect(400)).body.faultstring).toBe(
      'The requested destination action already exists',
    );
    const second = await clone('core.noop', { overwrite: true }).expect(201);
    expect(second.body).toMatchObject({ runner_type: 'noop' });
    expect(second.body.id).not.toBe(first.body.id);
    expect(await readFile(actionFile(`${dest_action}.yaml`), 'utf8')).toContain('runner_type: noop');
  });

  it.each([
    ['core.nope', { dest_pack: 'default', dest_action: 'x' }, 404, 'reference or id "core.nope" not found'],
    ['core.noop', { dest_pack: 'none', dest_action: 'x' }, 400, "Destination pack 'none' doesn't exist"],
    ['core.noop', { dest_pack: 'core', dest_action: 'x' }, 400, 'system level packs'],
    ['core.noop', { dest_pack: 'default', dest_action: '../x' }, 400, 'cannot be the name of a file'],
    ['core.noop', {}, 400, "'dest_pack' is a required property"],
    ['core.noop', { dest_pack: 'default', dest_action: 'n'.repeat(400) }, 400, 'the name is too long'],
  ])('copying %s to %j is a %i', async (source, body, status, text) => {
    const answer = await api.ada.post(`actions/${source}/clone`, body);
    expect([answer.status, answer.body.faultstring]).toEqual([status, expect.stringContaining(text)]);
  });

  it('are listed by pack and name, with filters, pages and attributes', async () => {
    const tag = [{ name: 'listed', value: '1' }];
    const made = [await create({ tags: tag }), await create({ tags: tag })];
    const { body, headers } = await api.ada.get('actions?tags=listed&include_attributes=name&limit=1');
    expect(body).toEqual([{ id: made[0]?.id, ref: made[0]?.ref, name: made[0]?.name }]);
    expect(headers).toMatchObject({ 'x-total-count': '2', 'x-limit': '1' });
    const all = await api.ada.get('actions?pack=core');
    expect(all.headers).not.toHaveProperty('x-limit');
    expect(all.body.map(({ name }: { name: string }) => name)).toEqual(
      [...all.body.map((a: { name: string }) => a.name)].sort(),
    );
    expect((await api.ada.get('actions?name=noop&pack=core&exclude_attributes=parameters,notify')).body[0]).toEqual(
      expect.not.objectContaining({ parameters: expect.anything() }),
    );
    await api.ada.get('actions?exclude_attributes=name').expect(400);
    await api.ada.get('actions?offset=-1').expect(400);
  });

  it('are shown with the parameters of their runners', async () => {
    const made = await create({
      runner_type: 'local-shell-cmd',
      parameters: { timeout: { default: 7 }, a: { type: 'string' } },
    });
    const { body } = await api.ada.get(`actions/views/parameters/${made.id}`);
    expect(body.parameters).toMatchObject({ timeout: { type: 'integer', default: 7 }, cmd: { type: 'string' }, a: {} });
    expect((await api.ada.get(`actions/views/overview/${made.ref}`)).body.parameters).toEqual(body.parameters);
    const list = await api.ada.get(`actions/views/overview?name=${made.name}&include_attributes=parameters`);
    expect(list.body).toEqual([{ id: made.id, ref: made.ref, parameters: body.parameters }]);
    await api.ada.get('actions/views/parameters/core.nope').expect(404);
    const many = Array.from({ length: 101 }, () => made.id).join(',');
    await api.ada.get(`actions/views/overview?id=${many}`).expect(400);
  });

  it('may have an entry point', async () => {
    const none = await api.ada.get('actions/views/entry_point/core.noop').expect(404);
    expect(none.body.faultstring).toBe('Action ref_or_id=core.noop has no entry_point to output');
    const missing = await create({ runner_type: 'local-shell-script', entry_point: 'gone.sh' });
    await api.ada.get(`actions/views/entry_point/${missing.ref}`).expect(404);
    const long = await create({ runner_type: 'local-shell-script', entry_point: 'n'.repeat(400) });
    await api.ada.get(`actions/views/entry_point/${long.ref}`).expect(404);
    await api.ada.post(`actions/${long.ref}/clone`, { dest_pack: 'default', dest_action: 'short' }).expect(404);
    await api.ada.delete(`actions/${long.ref}`, { remove_files: true }).expect(204);
  });
});
