import { loadConfig, paths } from '@switchyard/config';
import { pluginRunners, runnerRegistry, runnerTypes, type RunnerPlugin } from '@switchyard/runners';
import { startTrial } from './runner-fixture';

const { config } = loadConfig({ environment: {} });

const manifest = { name: 'acme', description: 'Does things.', runner_parameters: {} };
const run = () => ({ result: Promise.resolve({ status: 'succeeded', result: {} }), cancel: () => undefined });
const runnersOf = (...runners: unknown[]) => pluginRunners([{ name: '@acme/runner', runners }]);
const registryWith = (...runners: unknown[]) =>
  runnerRegistry({ config, paths: paths(config), added: runnersOf(...runners) });

describe('a runner of a plug-in', () => {
  it('is a runner type like the others', () => {
    const given = { ...manifest, runner_package: 'other', output_key: 'output', unknown: 1 };
    expect(runnerTypes(registryWith({ manifest: given, run }))).toContainEqual({
      ...manifest,
      enabled: true,
      runner_package: '@acme/runner',
      runner_module: 'acme',
      output_key: 'output',
      output_schema: {},
    });
  });

  it.each(['noop', 'orquesta', 'acme'])('cannot be named %s after another one', (name) => {
    expect(() => registryWith({ manifest, run }, { manifest: { ...manifest, name }, run })).toThrow(
      'The plug-in "@acme/runner" cannot be loaded: ' +
        `expected each runner to have a unique name, got "${name}" again.`,
    );
  });

  it.each([
    [null, 'expected each runner to have an object "manifest", got undefined.'],
    [{ manifest: { ...manifest, name: 'a b' }, run }, 'letters, digits, "_", "." and "-", got "a b".'],
    [{ manifest: { name: 'acme' }, run }, '"description" in the manifest of "acme" to be a text, got undefined.'],
    [{ manifest: { ...manifest, enabled: 1 }, run }, '"enabled" in the manifest of "acme" to be true or false, got 1.'],
    [
      { manifest: { ...manifest, output_schema: [] }, run },
      '"output_schema" in the manifest of "acme" to be an object',
    ],
    [
      { manifest: { ...manifest, runner_parameters: { x: { type: 'text' } } }, run },
      /"runner_parameters" in the manifest of "acme" to be definitions of parameters, got ".*text/,
    ],
    [{ manifest }, 'expected the runner "acme" to have a function "run", got undefined.'],
    [{ manifest, run, close: true }, 'expected "close" of "acme" to be a function, got true.'],
  ])('that is %j is refused', (given, message) => {
    expect(() => runnersOf(given)).toThrow('The plug-in "@acme/runner" cannot be loaded: ');
    expect(() => runnersOf(given)).toThrow(message);
  });

  const start = (broken: unknown) => {
    const [plugin] = runnersOf({ manifest, run: broken as RunnerPlugin['run'] });
    return startTrial({ runner: 'acme', plugin: plugin! });
  };
  const noWay = () => {
    throw new Error('no way');
  };
  const ends = (result: unknown) => () => ({ result: Promise.resolve(result), cancel: () => undefined });
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;

  it.each([
    ['throws', noWay, 'no way'],
    ['rejects', () => ({ result: Promise.reject(new Error('no way')) }), 'no way'],
    ['returns nothing', () => undefined, '"run" must return an object with "result" and "cancel".'],
    ['returns a promise', async () => ({}), '"run" must return an object with "result" and "cancel".'],
    ['ends with nothing', ends(null), 'not with status undefined and no result.'],
    ['ends without a status', ends({ result: {} }), 'not with status undefined and a result of type object.'],
    ['ends with a list', ends({ status: 'succeeded', result: [] }), 'not with status succeeded and a list.'],
    ['ends with a circle', ends({ status: 'succeeded', result: circle }), /circular/],
  ])('that %s fails its run', async (_, broken, error) => {
    expect(await start(broken).handle.result).toEqual({
      status: 'failed',
      result: { failed: true, succeeded: false, error: expect.stringMatching(error) as string },
    });
  });

  it('gives its result as JSON', async () => {
    const result = { at: new Date(0), work: () => undefined };
    const { handle } = start(ends({ status: 'succeeded', result, context: { user: 'root' } }));
    expect(await handle.result).toEqual({ status: 'succeeded', result: { at: '1970-01-01T00:00:00.000Z' } });
  });

  it('that cannot cancel its run is named in the log', async () => {
    const { handle, warnings } = start(() => ({ ...run(), cancel: noWay }));
    handle.cancel();
    await handle.result;
    expect(warnings).toEqual(['A runner of a plug-in failed to cancel its run.']);
  });
});
