import { immutableOverrides, mergeParameters, refuseImmutableOverrides, validateParameters } from '../../src';
import { localRunner, localShell, noopRunner } from './runners';

const local = { name: 'local', parameters: { cmd: { required: true }, sudo: { immutable: true } } };

describe('validateParameters', () => {
  it('fills in the defaults of runner and action', () => {
    expect(validateParameters({ cmd: 'ls', timeout: null }, localRunner, local)).toEqual({
      cmd: 'ls',
      kwarg_op: '--',
      sudo: false,
      sudo_password: null,
      timeout: 60,
    });
  });

  it.each<[Record<string, unknown>, string]>([
    [{}, "'cmd' is a required property"],
    [{ cmd: null }, "None is not of type 'string'"],
    [{ cmd: 'x', a: 1 }, "Additional properties are not allowed ('a' was unexpected)"],
    [{ cmd: 'x', env: 5 }, "5 is not of type 'object', 'null'"],
    [{ cmd: 'x', timeout: 'x' }, "'x' is not of type 'integer'"],
  ])('rejects %j', (values, message) => {
    expect(() => validateParameters(values, localRunner, local)).toThrow(
      expect.objectContaining({ status: 400, message }),
    );
  });

  it('accepts anything for an action without parameters, on the noop runner only', () => {
    const bare = { name: 'bare', parameters: {} };
    expect(validateParameters({ zzz: 1 }, noopRunner, bare)).toEqual({ zzz: 1 });
    expect(() => validateParameters({ zzz: 1 }, { name: 'other', runner_parameters: {} }, bare)).toThrow(
      "Additional properties are not allowed ('zzz' was unexpected)",
    );
    const text = { name: 'text', parameters: { text: { type: 'string' } } };
    expect(() => validateParameters({ zzz: 1 }, noopRunner, text)).toThrow("('zzz' was unexpected)");
  });

  it('accepts any value for an empty definition', () => {
    const action = { name: 'a', parameters: { x: {} } };
    for (const x of [null, 1, 'a', [], {}]) expect(validateParameters({ x }, noopRunner, action)).toEqual({ x });
  });
});

describe('immutable parameters', () => {
  it('are found in runner and action, in the given order', () => {
    const runner = { name: 'r', runner_parameters: { fixed: { default: 1, immutable: true } } };
    expect(immutableOverrides({ sudo: false, cmd: 'x', fixed: 1 }, runner, local)).toEqual(['sudo', 'fixed']);
  });
  it('cannot be set, not even to their default', () => {
    expect(() => refuseImmutableOverrides({ cmd: 'ls', sudo: false }, localRunner, local)).toThrow(
      "Override of immutable parameter(s) ['sudo'] is unsupported.",
    );
    expect(() => refuseImmutableOverrides({ cmd: 'ls' }, localRunner, local)).not.toThrow();
  });
});

describe('mergeParameters', () => {
  it('merges attributes, keeps the order, and preserves defaults and secrets', () => {
    const action = {
      sudo_password: { secret: false, default: null },
      timeout: { default: null },
      own: {},
      cmd: { enum: ['ls'] },
    };
    const merged = mergeParameters(localShell, action);
    expect(Object.keys(merged)).toEqual([...Object.keys(localShell), 'own']);
    expect(merged).toMatchObject({
      cmd: { type: 'string', enum: ['ls'] },
      timeout: { type: 'integer', default: 60 },
      sudo_password: { secret: true, default: null },
    });
  });
});
