import { longestHoldUp, SLOW_TEMPLATE, SLOW_TEMPLATE_VALUE } from '@switchyard/testkit/hold-up';
import { Allowance, renderLiveParameters, renderStandalone, type DatastoreKey } from '../../src';

const MOST_MS = 150;

const input = {
  runnerParameters: { cmd: { type: 'string' }, list: { type: 'array' }, all: { type: 'string' } },
  actionParameters: {},
  context: { user: 'ann' },
};

describe('a long template of a parameter', () => {
  test('holds up nobody, and is rendered as any other', async () => {
    const parameters = { cmd: `${SLOW_TEMPLATE}{{ action_context.user }}`, list: [SLOW_TEMPLATE], all: '{{ cmd }}!' };
    const { result, ms } = await longestHoldUp(() => renderLiveParameters({ ...input, parameters }));
    const cmd = `${SLOW_TEMPLATE_VALUE}ann`;
    expect(result.parameters).toEqual({ cmd, list: [SLOW_TEMPLATE_VALUE], all: `${cmd}!` });
    expect(ms).toBeLessThan(MOST_MS);
  });

  test('reads each item of the datastore once', async () => {
    const read: string[] = [];
    const lookup = ({ name }: DatastoreKey) => Promise.resolve(void read.push(name)).then(() => 'item');
    const parameters = { cmd: `{{ st2kv.system.a }}${SLOW_TEMPLATE}{{ st2kv.system.a }}{{ st2kv.system.b }}` };
    const result = await renderLiveParameters({ ...input, parameters, lookup });
    expect(result.parameters).toEqual({ cmd: `item${SLOW_TEMPLATE_VALUE}itemitem` });
    expect(read).toEqual(['a', 'b']);
  });

  test('that fails tells nothing of a secret', async () => {
    const definitions = { ...input.runnerParameters, password: { type: 'string', secret: true } };
    const parameters = { password: 'hunter2', cmd: `${SLOW_TEMPLATE}{{ password.nope() }}` };
    const failure = renderLiveParameters({ ...input, runnerParameters: definitions, parameters });
    await expect(failure).rejects.toMatchObject({
      status: 400,
      message: 'Failed to render parameter "cmd": UndefinedError, and no more is told, as the template reads a secret',
    });
  });

  test('that decrypts nothing says which item that is', async () => {
    const parameters = { cmd: `${SLOW_TEMPLATE}{{ st2kv.system.gone | decrypt_kv }}` };
    const failure = renderLiveParameters({ ...input, parameters, lookup: () => Promise.resolve(undefined) });
    await expect(failure).rejects.toMatchObject({
      message: expect.stringContaining(`Referenced datastore item "st2kv.system.gone" doesn't exist`) as string,
    });
  });

  test('is charged to the request', async () => {
    const parameters = { list: Array.from({ length: 20 }, (_, n) => `${SLOW_TEMPLATE}${n}`) };
    const allowance = new Allowance({ steps: 1e9, durationMs: 100 });
    await expect(renderLiveParameters({ ...input, parameters, allowance })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('100 ms that they may take together') as string,
    });
  });

  test('of an alias holds up nobody', async () => {
    const values = { fixed: `${SLOW_TEMPLATE}{{ name }}` };
    const { result, ms } = await longestHoldUp(() => renderStandalone(values, { name: 'x' }, {}));
    expect(result.parameters).toEqual({ fixed: `${SLOW_TEMPLATE_VALUE}x` });
    expect(ms).toBeLessThan(MOST_MS);
  });
});
