import type { Executions } from '@switchyard/executions';
import type { ExecutionRecord } from '@switchyard/model';
import { createSealer, newKeyRing } from '@switchyard/storage';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';
import { by, executionsOn, register } from './executions-fixture';

let platform: TestPlatform;
let executions: Executions;
const later = leakCheck('all');
beforeAll(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
  executions = executionsOn(platform);
});

const SECRET = 'correct-horse-battery';

/** The complete stored record, as text. */
const raw = async ({ _id }: ExecutionRecord) => JSON.stringify(await platform.store.executions.get(_id));

const definitions = {
  password: { type: 'string', secret: true },
  login: { type: 'object', properties: { user: { type: 'string' }, key: { type: 'string', secret: true } } },
  list: { type: 'array', items: { type: 'object', properties: { pin: { type: 'string', secret: true } } } },
  copied: { type: 'string' },
  plain: { type: 'string' },
};

describe('secret parameters', () => {
  it.each<[string, Record<string, unknown>]>([
    ['a parameter', { password: SECRET }],
    ['a part of an object', { login: { user: 'ada', key: SECRET } }],
    ['a part of each item', { list: [{ pin: SECRET }, { pin: `${SECRET}2` }] }],
    ['a copy that a template makes', { password: SECRET, copied: 'x {{ password }} y' }],
  ])('that are %s are nowhere in the stored record, and can be read back', async (_, parameters) => {
    const record = await by(executions, await register(platform, { parameters: definitions }), { parameters });
    expect(await raw(record)).not.toContain(SECRET);
    const opened = executions.secrets.openParameters(await executions.get(record._id));
    expect(opened).toEqual('copied' in parameters ? { ...parameters, copied: `x ${SECRET} y` } : parameters);
  });

  it('are shown only to users who may see them', async () => {
    const ref = await register(platform, { parameters: definitions });
    const record = await by(executions, ref, { parameters: { password: SECRET, plain: 'open' } });
    const masked = await executions.view.execution(record);
    expect(JSON.stringify(masked)).not.toContain(SECRET);
    expect(masked).toMatchObject({ parameters: { plain: 'open', password: '********' } });
    const open = await executions.view.execution(record, { showSecrets: true });
    expect(open).toMatchObject({ parameters: { password: SECRET } });
    expect(JSON.stringify(await executions.view.liveaction(record))).not.toContain(SECRET);
  });

  it('stay masked when their key is missing, and then the execution cannot run', async () => {
    const output_schema = { type: 'object', properties: { token: { type: 'string', secret: true } } };
    const ref = await register(platform, { parameters: definitions, output_schema }, { output_key: 'result' });
    const begun = await by(executions, ref, { parameters: { password: SECRET, plain: 'open' } });
    const result = await executions.results.store(begun, { result: { token: SECRET } });
    const record = (await executions.transition(begun, 'succeeded', result))!;
    const others = executionsOn(platform, { sealer: createSealer(newKeyRing()) });
    const shown = { parameters: { plain: 'open', password: '********' }, result: { result: { token: '********' } } };
    for (const view of [others.view.execution, others.view.liveaction])
      expect(await view(record, { showSecrets: true })).toMatchObject(shown);
    expect(() => others.secrets.openParameters(record)).toThrow('which is not in the key file');
  });

  it('include whole responses to inquiries', async () => {
    const ref = 'st2.inquiry.respond';
    const parameters = { id: { type: 'string' }, response: { type: 'object' } };
    await register(platform, { pack: 'st2', name: 'inquiry.respond', ref, parameters });
    const record = await by(executions, ref, { parameters: { id: 'x', response: { pin: SECRET } } });
    expect(record.parameters).toEqual({ id: 'x', response: '********' });
    expect(executions.secrets.openParameters(record)).toEqual({ id: 'x', response: { pin: SECRET } });
  });

  it('are not sealed if there are none', async () => {
    const record = await by(executions, await register(platform, { parameters: definitions }), {
      parameters: { plain: 'x' },
    });
    expect(record.sealed_parameters).toBeUndefined();
  });

  it('are kept by a rerun', async () => {
    const ref = await register(platform, { parameters: definitions });
    const first = await by(executions, ref, { parameters: { password: SECRET, plain: 'a' } });
    const again = await executions.rerun(first._id, { user: 'ada', parameters: { plain: 'b' } });
    expect(executions.secrets.openParameters(again)).toEqual({ password: SECRET, plain: 'b' });
    expect(await raw(again)).not.toContain(SECRET);
  });

  it('copied by a template stay secret in a rerun', async () => {
    const ref = await register(platform, { parameters: definitions });
    const first = await by(executions, ref, { parameters: { password: SECRET, copied: 'x {{ password }} y' } });
    const again = await executions.rerun(first._id, { user: 'ada' });
    expect(executions.secrets.openParameters(again)).toMatchObject({ copied: `x ${SECRET} y` });
    expect(await raw(again)).not.toContain(SECRET);
  });
});

describe('secrets of a pack configuration', () => {
  const values = { region: 'north', mirror: { host: 'far', password: SECRET } };
  const configured = () =>
    executionsOn(platform, { configFor: async () => ({ values, secrets: [['mirror', 'password']] }) });

  it.each<[string, string, Record<string, unknown>, unknown]>([
    ['a default', 'string', { default: 'x {{ config_context.mirror.password }}' }, `x ${SECRET}`],
    ['an object', 'object', { default: '{{ config_context.mirror }}' }, values.mirror],
    [
      'a filter',
      'string',
      { default: '{{ config_context.mirror | to_json_string }}' },
      expect.stringContaining(SECRET),
    ],
  ])('are masked when %s copies them', async (_, type, definition, expected) => {
    const executions = configured();
    const other = { type: 'string', default: '{{ config_context.mirror.host }}' };
    const parameters = { copied: { type, ...definition }, other } as never;
    const record = await by(executions, await register(platform, { parameters }));
    expect(record.parameters).toEqual({ copied: '********', other: 'far' });
    expect(await raw(record)).not.toContain(SECRET);
    expect(executions.secrets.openParameters(record)).toMatchObject({ copied: expected });
    const again = await executions.rerun(record._id, { user: 'ada' });
    expect(again.parameters).toEqual(record.parameters);
  });

  it.each(['{{ config_context.mirror.password }}', '{{ config_context.mirror.password | from_json_string }}'])(
    'do not appear in messages about %s',
    async (cmd) => {
      const ref = await register(platform, { parameters: { n: { type: 'integer', default: cmd } } });
      const refused = by(configured(), ref);
      await expect(refused).rejects.toMatchObject({ status: 400, message: expect.stringContaining('n') as string });
      await expect(refused).rejects.not.toThrow(SECRET);
    },
  );

  it('are masked in a rehearsal', async () => {
    const ref = await register(platform, { parameters: definitions });
    const plain = '{{ config_context.mirror.password }}';
    const { parameters } = await configured().rehearse({ action: ref, user: 'ada', parameters: { plain } });
    expect(parameters).toEqual({ plain: '********' });
  });
});

describe('results', () => {
  const output_schema = {
    type: 'object',
    properties: { token: { type: 'string', secret: true }, name: { type: 'string' } },
  };

  async function ended(result: Record<string, unknown>) {
    const ref = await register(platform, { output_schema }, { output_key: 'result' });
    const record = await by(executions, ref);
    const stored = await executions.results.store(record, result);
    return (await executions.transition(record, 'succeeded', stored))!;
  }

  it('keep their secrets sealed', async () => {
    const record = await ended({ result: { token: SECRET, name: 'n' } });
    expect(await raw(record)).not.toContain(SECRET);
    expect(await executions.results.load(record, false)).toEqual({ result: { token: '********', name: 'n' } });
    expect(await executions.results.load(record, true)).toEqual({ result: { token: SECRET, name: 'n' } });
  });

  it.each([
    ['small', 1000, false],
    ['just small enough', 256 * 1024 - 60, false],
    ['large', 300 * 1024, true],
    ['of several parts', 9 * 1024 * 1024, true],
  ])('that are %s can be read back', async (_, size, beside) => {
    // Barely compressible text, so that it is stored in several parts.
    const text = Array.from({ length: Math.ceil(size / 8) }, (_x, i) =>
      ((i * 2654435761) % 2 ** 32).toString(16).padStart(8, '0'),
    )
      .join('')
      .slice(0, size);
    const result = { result: { token: SECRET, name: text } };
    const record = await ended(result);
    expect(record.result === undefined).toBe(beside);
    expect(record.result_blob !== undefined).toBe(beside);
    expect(record.result_size).toBeGreaterThan(size);
    expect(await executions.results.load(record, true)).toEqual(result);
    expect((await executions.results.text(record))?.includes(SECRET)).toBe(false);
  });

  it('replace a large result by a small one, and are removed if unused', async () => {
    const record = await by(executions, await register(platform), { result: { first: 1 } });
    const large = await executions.results.store(record, { x: 'y'.repeat(300_000) });
    const failed = await executions.transition(record, 'failed', { ...large, from: ['scheduled'] });
    expect(failed).toBeUndefined();
    await executions.results.discard(large);
    expect(await platform.store.blobs.get(large.set['result_blob'] as never)).toBeUndefined();
    expect(await executions.results.load(await executions.get(record._id), true)).toEqual({ first: 1 });
  });
});
