import { resolveValues, splitParameters } from '../../src';
import { localRunner } from './runners';

const action = {
  name: 'a',
  parameters: {
    cmd: { default: 'echo {{ n }}', immutable: true },
    timeout: { default: null },
    n: { type: 'integer', default: 3 },
    free: { type: 'string' },
  },
};

it('splits values between runner and action, with defaults', () => {
  expect(splitParameters({ n: null, free: 'x', cmd: 'other', unknown: 1 }, localRunner, action)).toEqual({
    runnerParameters: {
      cmd: 'echo {{ n }}',
      cwd: null,
      env: null,
      kwarg_op: '--',
      sudo: false,
      sudo_password: null,
      timeout: 60,
    },
    actionParameters: { n: 3, free: 'x' },
  });
});

it('distinguishes given values from defaults, because only defaults may be templates', () => {
  const resolved = resolveValues({ free: '{{ x }}', n: 0 }, localRunner, action);
  expect([resolved.get('free'), resolved.get('n'), resolved.get('cmd'), resolved.get('cwd')]).toEqual([
    { value: '{{ x }}', origin: 'given' },
    { value: 0, origin: 'given' },
    { value: 'echo {{ n }}', origin: 'default' },
    { value: null, origin: 'default' },
  ]);
});
