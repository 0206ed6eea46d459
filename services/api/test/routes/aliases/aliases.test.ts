import { apiFixture, type ApiFixture } from '../../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture();
});
afterAll(() => api.close());

const body = (name: string, more: object = {}) => ({
  name,
  pack: 'tests',
  action_ref: 'core.noop',
  formats: [`${name} {{what}}`],
  ...more,
});

const created = async (name: string, more: object = {}) =>
  (await api.ada.post('actionalias').send(body(name, more)).expect(201)).body;

const faultOf = async (answer: Promise<{ body: { faultstring: string } }>) => (await answer).body.faultstring;

describe('Aliases', () => {
  it('are created, read, replaced and deleted, by reference and by id', async () => {
    const alias = await created('one', { description: 'The first.' });
    expect(alias).toEqual({
      ...body('one'),
      id: expect.any(String),
      ref: 'tests.one',
      uid: 'action_alias:tests:one',
      description: 'The first.',
      enabled: true,
      ack: {},
      result: {},
      extra: {},
      immutable_parameters: {},
      metadata_file: '',
    });
    for (const named of [alias.ref, alias.id]) {
      expect((await api.ada.get(`actionalias/${named}`).expect(200)).body).toMatchObject({ id: alias.id });
      const changed = { ...alias, enabled: named === alias.id };
      expect((await api.ada.put(`actionalias/${named}`).send(changed).expect(200)).body).toEqual(changed);
    }
    await api.ada.delete('actionalias/tests.one').expect(204);
    const gone = api.ada.get('actionalias/tests.one').expect(404);
    expect(await faultOf(gone)).toBe('Resource with a reference or id "tests.one" not found');
    expect(api.log.filter(({ level }) => level === 'audit').map(({ message }) => message)).toEqual(
      expect.arrayContaining(['Action alias created.', 'Action alias updated.', 'Action alias deleted.']),
    );
  });

  it('report parameters that cannot be decrypted, run nothing, and keep them until there are new ones', async () => {
    const immutable_parameters = { cmd: 'date', sudo_password: 'hush' };
    const { id } = await created('lost', { action_ref: 'core.local', formats: ['lost it'], immutable_parameters });
    const stored = await api.store.actionAliases.get(id);
    const elsewhere = (await api.withOtherKeys()).actionAliases;
    await elsewhere.replace(stored as NonNullable<typeof stored>);
    const error = expect.stringMatching(
      /^The immutable parameters of the action alias "tests\.lost" .* the key file\./,
    );
    const { body: alias } = await api.ada.get('actionalias/tests.lost').expect(200);
    expect(alias).toMatchObject({ immutable_parameters: {}, error });
    expect(alias).not.toHaveProperty('problem');
    expect((await api.ada.get('actionalias?name=lost').expect(200)).body).toEqual([alias]);
    const command = { command: 'lost it', user: 'ann', source_channel: 'c' };
    expect(await faultOf(api.ada.post('aliasexecution/match_and_execute').send(command).expect(409))).toEqual(error);
    const changed = { ...alias, description: 'Changed.' };
    expect((await api.ada.put('actionalias/tests.lost').send(changed).expect(200)).body).toEqual(changed);
    expect(await elsewhere.get(id)).toEqual({ ...stored, description: 'Changed.' });
    const { body: anew } = await api.ada.put('actionalias/tests.lost').send({ ...changed, immutable_parameters });
    expect(anew).not.toHaveProperty('error');
    await api.ada.post('aliasexecution/match_and_execute').send(command).expect(201);
  });

  it.each([
    ['without formats', { formats: undefined }, "'formats' is a required property"],
    ['with a format that is not an expression', { formats: ['go ('] }, 'Invalid alias format "go ("'],
    ['with the same parameter twice', { formats: ['{{a}} {{a}}'] }, 'Invalid alias format'],
    ['with an unknown field', { colour: 'red' }, "Additional properties are not allowed ('colour' was unexpected)"],
  ])('are refused %s', async (_, more, text) => {
    expect(await faultOf(api.ada.post('actionalias').send(body('bad', more)).expect(400))).toContain(text);
    await api.ada.get('actionalias/tests.bad').expect(404);
  });

  it('have unique names within a pack', async () => {
    const { id } = await created('twice');
    const { body: taken } = await api.ada.post('actionalias').send(body('twice')).expect(409);
    expect(taken['conflict-id']).toBe(id);
    await created('twice', { pack: 'others', formats: ['elsewhere'] });
    const moved = api.ada.put('actionalias/others.twice').send(body('twice')).expect(409);
    expect(await faultOf(moved)).toContain('duplicate');
  });

  it('are listed by pack and name, with filters, attributes and pages', async () => {
    for (const name of ['b', 'a', 'c']) await created(name, { pack: 'listed', action_ref: `tests.${name}` });
    const names = async (query: string) =>
      (await api.ada.get(`actionalias?pack=listed${query}`).expect(200)).body.map(({ name }: { name: string }) => name);
    expect(await names('')).toEqual(['a', 'b', 'c']);
    expect(await names('&sort=-name')).toEqual(['c', 'b', 'a']);
    expect(await names('&name=b')).toEqual(['b']);
    expect(await names('&action_ref=tests.c')).toEqual(['c']);
    const page = await api.ada.get('actionalias?pack=listed&limit=1&offset=1&include_attributes=name');
    expect(page.body).toEqual([{ id: expect.any(String), ref: 'listed.b', name: 'b' }]);
    expect(page.headers).toMatchObject({ 'x-total-count': '3', 'x-limit': '1' });
    await api.ada.get('actionalias?offset=-1').expect(400);
  });

  it('mask the secrets that they pass to actions, and keep them when the masks come back', async () => {
    const parameters = { pin: { type: 'string', secret: true }, n: { type: 'integer' } };
    await api.ada.post('actions', { name: 'pinned', runner_type: 'noop', parameters }).expect(201);
    const given = { action_ref: 'default.pinned', immutable_parameters: { pin: 'abc', n: 1 } };
    const alias = await created('pinned', given);
    expect(alias.immutable_parameters).toEqual({ pin: '********', n: 1 });
    const [listed] = (await api.ada.get('actionalias?name=pinned&include_attributes=immutable_parameters')).body;
    expect(listed).toEqual({ id: alias.id, ref: alias.ref, immutable_parameters: { pin: '********', n: 1 } });
    const sent = { ...alias, immutable_parameters: { pin: '********', n: 2 } };
    await api.ada.put(`actionalias/${alias.id}`).send(sent).expect(200);
    const shown = await api.ada.get(`actionalias/${alias.id}?show_secrets=true`);
    expect(shown.body.immutable_parameters).toEqual({ pin: 'abc', n: 2 });
    const { id: bare } = await created('bare', { action_ref: 'default.pinned' });
    const copied = { ...sent, name: 'bare' };
    for (const call of [api.ada.post('actionalias').send(copied), api.ada.put(`actionalias/${bare}`).send(copied)])
      expect((await call.expect(400)).body.faultstring).toContain('"immutable_parameters.pin" is secret: expected its');
  });
});

describe('A command', () => {
  const match = (command: string) => api.ada.post('actionalias/match').send({ command });

  it('finds its alias in spite of another one with a stored format of a length that is no longer accepted', async () => {
    const formats = ['x'.repeat(50_000)];
    const whole = { name: 'long', pack: 'tests', action_ref: 'core.local', formats };
    const refused = await api.ada.post('actionalias').send(whole).expect(422);
    expect(refused.body.faultstring).toContain('limits.max_pattern_length');
    const stored = await created('endless', { formats: ['short'] });
    const record = (await api.store.actionAliases.byKey(stored.ref))!;
    await api.store.actionAliases.replace({ ...record, formats });
    await created('beside', { formats: ['beside {{x}}'] });
    expect((await match('beside it').expect(200)).body).toMatchObject({ actionalias: { ref: 'tests.beside' } });
    await api.ada.delete(`actionalias/${stored.id}`).expect(204);
  });

  it('finds the one alias and pattern that it matches', async () => {
    const alias = await created('known', {
      formats: [{ display: 'k <x>', representation: ['know {{x}}', 'k {{x}}'] }],
    });
    const { body: found } = await match('k a').expect(200);
    expect(found).toEqual({
      actionalias: alias,
      display: 'k <x>',
      representation: 'k {{x}}',
      parameters: [{ x: 'a' }],
    });
  });

  it('uses a format for several runs only when no other one matches', async () => {
    const several = [{ representation: ['(?:\\s|^)(?P<id>T-[0-9]+)(?:\\s|$)'], match_multiple: true }];
    await created('several', { formats: several });
    expect((await match('T-1 and T-2').expect(200)).body).toMatchObject({
      actionalias: { ref: 'tests.several' },
      display: null,
      representation: several[0]!.representation[0],
      parameters: [{ id: 'T-1' }, { id: 'T-2' }],
    });
    await created('single', { formats: ['T-{{n}}'] });
    expect((await match('T-1').expect(200)).body).toMatchObject({ actionalias: { ref: 'tests.single' } });
  });

  it.each([
    ['fits nothing', 'nothing of the kind', 'matched no patterns'],
    ['matches several patterns', 'shared a', 'matched more than 1 pattern'],
    ['matches several patterns for several runs', 'see P-1', 'matched more than 1 (multi) pattern'],
    ['is for an alias that is disabled', 'resting', 'matched no patterns'],
  ])('is refused when it %s', async (_, command, text) => {
    const multiple = [{ representation: ['(?:\\s|^)(?P<id>P-[0-9]+)(?:\\s|$)'], match_multiple: true }];
    for (const pack of ['left', 'right']) {
      await api.ada.post('actionalias').send(body('shared', { pack, formats: ['shared {{x}}', ...multiple] }));
    }
    await api.ada.post('actionalias').send(body('resting', { formats: ['resting'], enabled: false }));
    expect(await faultOf(match(command).expect(400))).toBe(`Command '${command}' ${text}`);
  });

  it('is matched in spite of a format that is too slow, which is logged', async () => {
    await created('slow', { formats: ['((a+)+)+b'] });
    await created('after-slow', { formats: ['a*{{x}}!'] });
    const command = `${'a'.repeat(40)} !`;
    expect((await match(command).expect(200)).body.actionalias.ref).toBe('tests.after-slow');
    expect(api.log.findLast(({ message }) => message === 'Skipped a format of an alias.')).toMatchObject({
      level: 'warn',
      fields: { alias: 'tests.slow', format: '((a+)+)+b' },
    });
    await api.ada.delete('actionalias/tests.slow').expect(204);
  });
});

describe('Help', () => {
  it('shows the formats of enabled aliases, by pack and by an expression', async () => {
    await created('aided', {
      pack: 'helpful',
      description: 'Helps.',
      formats: ['Aid {{x}}', { representation: ['y'] }],
    });
    await created('off', { pack: 'helpful', enabled: false });
    await created('zero', { pack: 'helpful', formats: ['zero'] });
    const help = async (query: string) => (await api.ada.get(`actionalias/help?pack=helpful${query}`).expect(200)).body;
    expect(await help('')).toEqual({
      available: 2,
      helpstrings: [
        { pack: 'helpful', display: 'Aid {{x}}', description: 'Helps.' },
        { pack: 'helpful', display: 'zero', description: '' },
      ],
    });
    expect(await help('&filter=AID')).toMatchObject({ available: 1, helpstrings: [{ display: 'Aid {{x}}' }] });
    expect(await help('&limit=1&offset=1')).toMatchObject({ available: 2, helpstrings: [{ display: 'zero' }] });
    for (const bad of ['filter=[', 'limit=-1', 'offset=-1']) await api.ada.get(`actionalias/help?${bad}`).expect(400);
  });
});
