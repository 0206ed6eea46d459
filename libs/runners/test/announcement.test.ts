import { runTrial } from './runner-fixture';

const announce = async (parameters: Record<string, unknown>, actionParameters: Record<string, unknown>) => {
  const told: unknown[] = [];
  const abilities = { announce: async (route: string, payload: unknown) => void told.push([route, payload]) };
  return { run: await runTrial({ runner: 'announcement', parameters, actionParameters, abilities }), told };
};

describe('announcement', () => {
  it.each([
    ['general', {}],
    ['general', { route: 'general' }],
    ['alerts.disk', { route: 'alerts.disk' }],
  ])('announces the parameters of the action on the route %s with %j', async (route, parameters) => {
    const payload = { message: { text: 'hi' } };
    const { run, told } = await announce({ experimental: true, ...parameters }, payload);
    expect(run).toEqual({ status: 'succeeded', result: { output: payload, message: { text: 'hi' } } });
    expect(told).toEqual([[route, payload]]);
  });

  it.each([[{}], [{ experimental: false }]])('announces nothing with %j', async (parameters) => {
    const { run, told } = await announce(parameters, { message: {} });
    expect(run).toEqual({
      status: 'failed',
      result: { failed: true, succeeded: false, error: 'Experimental flag is missing for action default.a' },
    });
    expect(told).toEqual([]);
  });

  it('does not announce secrets', async () => {
    const told: unknown[] = [];
    const run = await runTrial({
      runner: 'announcement',
      parameters: { experimental: true },
      actionParameters: { text: 'hi', pin: '1234' },
      action: { parameters: { text: { type: 'string' }, pin: { type: 'string', secret: true } } },
      abilities: { announce: async (_route, payload) => void told.push(payload) },
    });
    const masked = { text: 'hi', pin: '********' };
    expect([told, run.result]).toEqual([[masked], { output: masked, ...masked }]);
  });

  it('fails when it cannot be published', async () => {
    const abilities = { announce: () => Promise.reject(new Error('too large')) };
    const run = await runTrial({ runner: 'announcement', parameters: { experimental: true }, abilities });
    expect(run).toMatchObject({ status: 'failed', result: { error: 'too large' } });
  });
});
