import { renderFinalParameters } from '../../src';

const runnerParameters = {
  cmd: { type: 'string' },
  sudo: { type: 'boolean', default: false },
  timeout: { type: 'integer', default: 60 },
} as const;
const context = { user: 'ann' };

describe('the parameters of a run', () => {
  test('are split between the runner and the action, with every default', async () => {
    const actionParameters = {
      message: { type: 'string' },
      cmd: { default: 'echo "{{message}}"', immutable: true },
      timeout: { default: 5 },
      other: { type: 'string' },
    } as const;
    const parameters = { message: 'hi', stray: 1 };
    expect(await renderFinalParameters({ runnerParameters, actionParameters, parameters, context })).toEqual({
      runnerParameters: { cmd: 'echo "hi"', sudo: false, timeout: 5 },
      actionParameters: { message: 'hi', other: null },
      derivedSecrets: [],
    });
  });

  test('never include rendered values of the caller', async () => {
    const actionParameters = { message: { type: 'string' }, cmd: { default: 'echo {{ message }}' } } as const;
    const parameters = { message: '{{ action_context.user }}' };
    const rendered = await renderFinalParameters({ runnerParameters, actionParameters, parameters, context });
    expect(rendered.actionParameters).toEqual({ message: '{{ action_context.user }}' });
    expect(rendered.runnerParameters['cmd']).toBe('echo {{ action_context.user }}');
  });

  test('list those that contain a secret', async () => {
    const actionParameters = { p: { type: 'string', secret: true }, cmd: { default: 'login {{ p }}' } } as const;
    const { derivedSecrets } = await renderFinalParameters({
      runnerParameters,
      actionParameters,
      parameters: { p: 'x' },
      context,
    });
    expect(derivedSecrets).toEqual(['cmd']);
  });

  test('may be named like members of Object.prototype', async () => {
    const actionParameters = {
      constructor: { type: 'string', default: '{{ toString }}' },
      toString: { type: 'string' },
    } as never;
    const rendered = await renderFinalParameters({
      runnerParameters: {},
      actionParameters,
      parameters: { toString: 't' },
      context,
    });
    expect(rendered.actionParameters).toEqual({ constructor: 't', toString: 't' });
  });
});
