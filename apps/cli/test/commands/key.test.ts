import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type ScriptedServer } from '../../../../libs/client/test/support/scripted-server';
import { svc } from '../support/run-svc';
import { TOKEN } from '../support/contract-server';

let server: ScriptedServer;
let home: string;
const items = new Map<string, Record<string, unknown>>();

/** The routes of the datastore that the command uses. It "encrypts" by reversing the text. */
beforeEach(async () => {
  server = await startServer();
  home = mkdtempSync(join(tmpdir(), 'svc-home-'));
  items.clear();
  const missing = { status: 404, body: { faultstring: 'The key does not exist in the StackStorm datastore.' } };
  const backwards = (text: unknown) => [...String(text)].reverse().join('');
  const shown = (item: Record<string, unknown> | undefined, decrypt: boolean) =>
    item?.['secret'] && decrypt ? { ...item, value: backwards(item['value']), encrypted: false } : item;
  const idOf = (path: string, scope: string | null) => `${scope}/${path.split('/').at(-1)}`;
  server.on('GET /v1/keys', ({ query }) => {
    const [scope, prefix, limit] = ['scope', 'prefix', 'limit'].map((name) => query.get(name));
    const found = [...items]
      .filter(([id]) => scope === 'all' || id.startsWith(`${scope}/`))
      .map(([, item]) => shown(item, query.get('decrypt') === 'true'))
      .filter((item) => String(item?.['name']).startsWith(prefix ?? ''));
    const offset = Number(query.get('offset') ?? 0);
    // Small pages, so that reading everything takes several requests.
    const page = found.slice(offset, offset + Number(limit ?? 2));
    return { headers: { 'x-total-count': String(found.length) }, body: page };
  });
  server.on('GET /v1/keys/*', ({ path, query }) => {
    const item = items.get(idOf(path, query.get('scope')));
    return item ? { body: shown(item, query.get('decrypt') === 'true') } : missing;
  });
  server.on('PUT /v1/keys/*', ({ path, body }) => {
    if (body.value === 'refused') return { status: 400, body: { faultstring: 'That is refused.' } };
    const secret = Boolean(body.secret || body.encrypted);
    const item = {
      id: String(items.size).padStart(24, '0'),
      name: body.name,
      scope: `st2kv.${body.scope.replace('st2kv.', '')}`,
      secret,
      encrypted: secret,
      value: body.secret && !body.encrypted ? backwards(body.value) : body.value,
      ...(body.ttl ? { expire_timestamp: new Date(Date.now() + body.ttl * 1000).toISOString() } : {}),
    };
    items.set(idOf(path, body.scope.replace('st2kv.', '')), item);
    return { body: item };
  });
  server.on('DELETE /v1/keys/*', ({ path, query }) =>
    items.delete(idOf(path, query.get('scope'))) ? { status: 204 } : missing,
  );
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

const env = () => ({ HOME: home, SVC_API_URL: `${server.url}/v1`, SVC_AUTH_TOKEN: TOKEN });
const key = (...args: string[]) => svc(['key', ...args], env());
const file = (name: string, content: unknown): string => {
  const path = join(home, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
/** The cells of a printed table, a line for each row. */
const cells = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.replace(/\s+/g, ' ').replace(/^\| | \|$/g, ''));
const json = (value: unknown): string => `${JSON.stringify(value, null, 4)}\n`;

describe('svc key', () => {
  test('sets, shows and deletes an item', async () => {
    const set = await key('set', 'a', 'one', '--ttl', '600');
    expect(set).toMatchObject({ code: 0, stderr: '' });
    expect(server.seen[0]?.body).toEqual({ name: 'a', value: 'one', ttl: 600, scope: 'system' });
    expect(cells(set.stdout)).toEqual([
      'Property | Value',
      'name | a',
      'value | one',
      'scope | st2kv.system',
      expect.stringMatching(/^expire_timestamp \| \w{3}, /),
    ]);
    expect((await key('set', 'a', 'two', '-j')).stdout).toBe(json({ name: 'a', scope: 'st2kv.system', value: 'two' }));
    expect(cells((await key('get', 'a')).stdout)).toEqual([
      'Property | Value',
      'name | a',
      'value | two',
      'secret | False',
      'encrypted | False',
      'scope | st2kv.system',
      'expire_timestamp |',
    ]);
    expect(await key('delete', 'a')).toEqual({
      code: 0,
      stdout: 'Resource with id "a" has been successfully deleted.\n',
      stderr: '',
    });
    expect(await key('delete', 'a')).toMatchObject({ code: 2, stdout: '' });
    expect(await key('get', 'a')).toEqual({ code: 1, stdout: '', stderr: 'ERROR: Key Value Pair "a" is not found.\n' });
  });

  test('encrypts, and decrypts on request', async () => {
    await key('set', 'a', 'hush', '--encrypt');
    expect((await key('get', 'a', '-a', 'value', 'secret', '-j')).stdout).toBe(json({ secret: true, value: 'hsuh' }));
    expect((await key('get', 'a', '-d', '-j', '-a', 'value')).stdout).toBe(json({ value: 'hush' }));
    await key('set', 'b', 'cipher', '--encrypted');
    expect(server.seen.at(-1)?.body).toEqual({ name: 'b', value: 'cipher', encrypted: true, scope: 'system' });
    expect(await key('set', 'c', 'x', '-e', '--encrypted')).toMatchObject({ code: 2 });
  });

  test('asks for a missing value', async () => {
    expect(await svc(['key', 'set', 'a', '-e'], env(), 'typed\n')).toMatchObject({ code: 0 });
    expect(server.seen[0]?.body.value).toBe('typed');
    expect(await svc(['key', 'set', 'a'], env(), '')).toMatchObject({
      code: 2,
      stderr: 'ERROR: No value was given.\n',
    });
  });

  test('lists items of both scopes, in JSON in reverse order', async () => {
    for (const [name, scope] of [
      ['a', 'system'],
      ['b', 'user'],
      ['other', 'system'],
    ])
      await key('set', name as string, 'v', '-s', scope as string);
    const table = cells((await key('list', '-a', 'name', 'scope')).stdout);
    expect(table).toEqual(['name | scope', 'a | st2kv.system', 'b | st2kv.user', 'other | st2kv.system']);
    expect((await key('list', '--prefix', 'o', '-s', 'system', '-j', '-a', 'name')).stdout).toBe(
      json([{ name: 'other' }]),
    );
    expect((await key('list', '-j', '-a', 'name')).stdout).toBe(json(['other', 'b', 'a'].map((name) => ({ name }))));
    const part = await key('list', '-n', '1');
    expect(part.stderr).toBe('Note: Only one key value pair is displayed. Use -n/--last flag for more results.\n');
    expect((await key('list', '--prefix', 'none')).stdout).toBe('No matching items found\n');
    expect(Object.fromEntries(server.seen.at(-1)?.query ?? [])).toEqual({ scope: 'all', prefix: 'none', limit: '50' });
  });

  test('deletes by prefix, however many there are', async () => {
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b']) await key('set', name, 'v');
    const { code, stdout } = await key('delete_by_prefix', '-p', 'a');
    expect([code, stdout]).toEqual([0, 'Deleted 5 keys\nDeleted key ids: a1, a2, a3, a4, a5\n']);
    expect([...items.keys()]).toEqual(['system/b']);
    expect(await key('delete_by_prefix')).toMatchObject({ code: 2 });
  });

  test('never shows a value with --debug', async () => {
    const ended = await key('set', 'a', 'topsecret', '--encrypt', '--debug', '-a', 'name');
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('# curl -X PUT');
    expect(ended.stdout + ended.stderr).not.toMatch(/topsecret|tercespot/);
  });
});

describe('svc key load', () => {
  test.each([
    ['one.yaml', 'name: a\nvalue: v\nttl: 500\n'],
    ['one.json', { name: 'a', value: 'v', ttl: 500 }],
    ['many.json', [{ name: 'a', value: 'v', ttl: 500, user: null, id: 'ignored' }]],
  ])('writes the items of %s', async (name, content) => {
    const loaded = await key('load', file(name, content), '-j');
    expect(loaded).toEqual({
      code: 0,
      stdout: json([{ name: 'a', scope: 'system', ttl: 500, value: 'v' }]),
      stderr: '',
    });
    expect(server.seen[0]?.body).toEqual({ name: 'a', value: 'v', scope: 'system', ttl: 500 });
  });

  test('converts values to JSON with -c', async () => {
    const path = file('k.json', [{ name: 'a', value: { a: [1, true], b: null } }]);
    const loaded = await key('load', '-c', path);
    expect(cells(loaded.stdout)).toEqual([
      'name | value | secret | scope | user | ttl',
      'a | {"a": [1, true], "b": null} | | system | |',
    ]);
  });

  test('shows secret values as they are stored', async () => {
    const path = file('k.yaml', 'name: a\nvalue: hush\nsecret: true\n');
    expect((await key('load', path)).stdout).not.toContain('hush');
  });

  test('writes nothing for an empty file', async () => {
    expect(await key('load', file('e.yaml', ''))).toEqual({ code: 0, stdout: 'No matching items found\n', stderr: '' });
  });

  const good = { name: 'good', value: 'v' };
  test.each<[string, unknown, RegExp]>([
    [
      'value',
      [good, { name: 'a', value: { b: 1 } }],
      /^ERROR: Item 'a' has a value that is not a string\. Either pass/,
    ],
    ['null', [good, { name: 'a', value: null }], /^ERROR: Item 'a' has a value that is not a string/],
    ['no value', [good, { name: 'a' }], /^ERROR: 'value'/],
    ['no name', [good, { value: 'v' }], /^ERROR: 'name'/],
    ['ttl', [good, { name: 'a', value: 'v', ttl: 'long' }], /^ERROR: Item 'a' has a ttl that is not a number/],
    ['scope', [good, { name: 'a', value: 'v', scope: 1 }], /^ERROR: Item 'a' has a scope that is not a string/],
    ['secret', [good, { name: 'a', value: 'v', secret: 'no' }], /^ERROR: Item 'a' has a secret that is not a boolean/],
    ['text', 'just a text', /^ERROR: Each item must be an object, got a string\n$/],
    ['broken', '{"name": ', /^ERROR: Cannot read the file ".*": /],
    [
      'token',
      'name: a\nvalue: "x" hush\n',
      /^ERROR: Cannot read the file ".*": Unexpected scalar .* at line 2, column 12\n$/,
    ],
    ['alias', 'name: a\nvalue: *hush\n', /^ERROR: Cannot read the file ".*": Unresolved alias \(.*\)\n$/],
    ['tag', 'name: a\nvalue: !<hush> x\nttl: [\n', /^ERROR: Cannot read the file ".*": (?!.*hush)/],
  ])('with a bad item (%s) writes nothing at all', async (_, content, message) => {
    expect(await key('load', file('k.json', content))).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
    expect(server.seen).toEqual([]);
  });

  test('reports a missing file by name', async () => {
    const path = join(home, 'none.json');
    expect(await key('load', path)).toMatchObject({ code: 1, stderr: `ERROR: File "${path}" does not exist.\n` });
  });

  test('stops at an item that the server refuses', async () => {
    const path = file('k.json', [good, { name: 'bad', value: 'refused' }]);
    expect(await key('load', path)).toMatchObject({ code: 2, stderr: 'ERROR: That is refused. (HTTP 400)\n' });
    expect([...items.keys()]).toEqual(['system/good']);
  });
});

describe('svc key export', () => {
  test.each(['json', 'yaml'])('writes %s that "load" reads, with secrets as they are stored', async (format) => {
    await key('set', 'a', 'one', '--ttl', '600');
    await key('set', 'b', 'hush', '-e');
    await key('set', 'c', '3.0', '-s', 'user');
    const path = join(home, `out.${format}`);
    const written = await key('export', path);
    expect(written).toEqual({ code: 0, stdout: '', stderr: `Wrote 3 items to ${path}\n` });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const before = new Map(items);
    items.clear();
    expect(await key('load', path)).toMatchObject({ code: 0, stderr: '' });
    const essence = (all: typeof items) =>
      [...all].map(([id, { value, secret, scope, expire_timestamp: expiry }]) => [id, value, secret, scope, !!expiry]);
    expect(essence(items)).toEqual(essence(before));
  });

  test('leaves out unreadable items, and says so', async () => {
    items.set('system/lost', { id: '1', unreadable: 'damaged', name: '' });
    await key('set', 'a', 'one');
    const { code, stdout, stderr } = await key('export', '-j');
    expect([code, JSON.parse(stdout)]).toEqual([1, [expect.objectContaining({ name: 'a' })]]);
    expect(stderr).toContain('Left out unreadable items (see svc doctor): 1');
  });

  test('prints, and decrypts on request', async () => {
    await key('set', 'b', 'hush', '-e');
    expect((await key('export', '-d')).stdout).toBe(
      json([{ name: 'b', scope: 'st2kv.system', secret: true, value: 'hush' }]),
    );
    expect(readFileSync(file('x', (await key('export', '-y')).stdout), 'utf8')).toContain('encrypted: true');
  });
});
