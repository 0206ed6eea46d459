import { inspectWorkflow } from '../../src';

interface Task {
  action: string;
  join?: string;
  input?: Record<string, string>;
  next: Record<string, unknown>[];
}

const name = (index: number): string => `t${index}`;

/** Every task forks to the next two and publishes a variable, which gives exponentially many paths. */
const braid = (size: number): Record<string, Task> =>
  Object.fromEntries(
    Array.from({ length: size }, (_, index): [string, Task] => [
      name(index),
      {
        action: 'core.local',
        input: { cmd: '<% ctx(v0) %>' },
        next: [1, 2].map((step) => ({
          when: '<% succeeded() %>',
          publish: [{ [`v${index}`]: '<% result() %>' }],
          do: index + step < size ? name(index + step) : 'continue',
        })),
      },
    ]),
  );

const mesh = (size: number): Record<string, Task> =>
  Object.fromEntries(
    Array.from({ length: size }, (_, index): [string, Task] => [
      name(index),
      {
        action: 'core.noop',
        next: Array.from({ length: 10 }, (__, step) => ({ do: name((index * 7 + step * 13) % size) })),
      },
    ]),
  );

it.each<[string, Record<string, Task>]>([
  ['that fork and meet', braid(1000)],
  ['of a thousand loops', { start: { action: 'core.noop', next: [{ do: 't0' }] }, ...mesh(999) }],
])('inspects a thousand tasks %s, with countless paths', (_, tasks) => {
  expect(inspectWorkflow({ version: 1, vars: [{ v0: 1 }], tasks })).toEqual({});
});
