import { longestHoldUp, MOST_HELD_UP, SLOW_TEMPLATE, SLOW_TEMPLATE_VALUE } from '@switchyard/testkit/hold-up';
import { Allowance, renderLiveParameters, renderStandalone, type DatastoreKey } from '../../src';

const input = {
  runnerParameters: { cmd: { type: 'string' }, list: { type: 'array' }, all: { type: 'string' } },
  actionParameters: {},
  context: { user: 'ann' },
};

describe('a long template of a parameter', () => {
  test('does not block other work, and renders like any other', async () => {
    const parameters = { cmd: `${SLOW_TEMPLATE}{{ action_context.user }}`, list: [SLOW_TEMPLATE], all: '{{ cmd }}!' };
    const { result, share } = await longestHoldUp(() => renderLiveParameters({ ...input, parameters }));
    const cmd = `${SLOW_TEMPLATE_VALUE}ann`;
    expect(result.parameters).toEqual({ cmd, list: [SLOW_TEMPLATE_VALUE], all: `${cmd}!` });
    expect(share).toBeLessThan(MOST_HELD_UP);
  });

  test('reads each item of the datastore once', async () => {
    const read: string[] = [];
    const lookup = ({ name }: DatastoreKey) => Promise.resolve(void read.push(name)).then(() => 'item');
    const parameters = { cmd: `{{ st2kv.system.a }}${SLOW_TEMPLATE}{{ st2kv.system.a }}{{ st2kv.system.b }}` };
    const result = await renderLiveParameters({ ...input, parameters, lookup });
    expect(result.parameters).toEqual({ cmd: `item${SLOW_TEMPLATE_VALUE}itemitem` });
    expect(read).toEqual(['a', 'b']);
  });

  test('reveals no secret when it fails', async () => {
    const definitions = { ...input.runnerParameters, password: { type: 'string', secret: true } };
    const parameters = { password: 'hunter2', cmd: `${SLOW_TEMPLATE}{{ password.nope() }}` };
    const failure = renderLiveParameters({ ...input, runnerParameters: definitions, parameters });
    await expect(failure).rejects.toMatchObject({
      status: 400,
      message:
        'Failed to render parameter "cmd": UndefinedError (details are hidden because the template reads a secret)',
    });
  });

  test('names the missing item it should decrypt', async () => {
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
      message: expect.stringContaining('together exceed their limit of 100 ms') as string,
    });
  });

  test('of an alias does not block other work', async () => {
    const values = { fixed: `${SLOW_TEMPLATE}{{ name }}` };
    const { result, share } = await longestHoldUp(() => renderStandalone(values, { name: 'x' }, {}));
    expect(result.parameters).toEqual({ fixed: `${SLOW_TEMPLATE_VALUE}x` });
    expect(share).toBeLessThan(MOST_HELD_UP);
  });
});
