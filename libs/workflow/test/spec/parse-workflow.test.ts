import { DefinitionError, parseWorkflow, type TaskSpec } from '../../src';

const taskOf = (yaml: string): TaskSpec => {
  const indented = yaml.replaceAll(/^/gm, '    ');
  return [...parseWorkflow(`version: 1.0\ntasks:\n  t1:\n${indented}`).tasks.values()][0] as TaskSpec;
};

describe('parseWorkflow', () => {
  it('reads every part of a definition', () => {
    expect(parseWorkflow(COMPLETE)).toEqual({
      name: 'all of it',
      description: 'every key',
      tags: ['one'],
      input: [{ name: 'a' }, { name: 'b', default: 2 }, { name: 'c', default: null }],
      vars: [{ name: 'v', value: { deep: ['<% ctx(a) %>'] } }],
      output: [{ name: 'o', value: '<% ctx(v) %>' }],
      timeout: 60,
      finally: ['last'],
      tasks: new Map([
        [
          't1',
          {
            name: 't1',
            action: 'core.local',
            input: { cmd: 'date', empty: null },
            delay: 1,
            join: 'all',
            with: { text: 'x, y in <% ctx(a) %>', items: '<% ctx(a) %>', names: ['x', 'y'], concurrency: 2 },
            retry: { count: 3, delay: { initial: 1, factor: 2, max: '<% ctx(b) %>' }, when: '<% failed() %>' },
            timeout: 2.5,
            rollback: 'undo',
            next: [
              { when: '<% succeeded() %>', publish: [{ name: 'p', value: 1 }], do: ['t2', 't3'] },
              { publish: [{ name: 'q', value: null }], do: ['continue'] },
            ],
          },
        ],
        ['undo', { name: 'undo', action: 'core.noop', next: [] }],
        ['last', { name: 'last', action: 'core.noop', next: [] }],
      ]),
    });
  });

  it.each<[string, Partial<TaskSpec>]>([
    [
      'with: x in <% [1] %>\naction: a.b',
      { with: { text: 'x in <% [1] %>', items: '<% [1] %>', names: ['x'], concurrency: null } },
    ],
    ['action: a.b k=1 l="two"', { action: 'a.b', input: { k: 1, l: 'two' } }],
    ['action: a.b k=1\ninput: {k: 2, other: 3}', { action: 'a.b', input: { k: 1 } }],
    ['action: a.b\ninput: <% ctx(all) %>', { input: '<% ctx(all) %>' }],
    ['next: [{do: "t2 , t3"}]', { next: [{ publish: [], do: ['t2', 't3'] }] }],
    [
      'next: [{do: t2, publish: a=1 b=<% result() %>}]',
      {
        next: [{ publish: [{ name: 'a', value: 1 }, { name: 'b', value: '<% result() %>' }], do: ['t2'] }], // oxfmt-ignore
      },
    ],
    ['next: []', { next: [] }],
    ['join: 2', { join: 2 }],
    ['retry: {count: <% 1 %>, delay: 5}', { retry: { count: '<% 1 %>', delay: 5 } }],
  ])('expands the short form %s', (yaml, part) => {
    expect(taskOf(yaml)).toMatchObject(part);
  });

  it('reads plain data like a text', () => {
    expect(parseWorkflow({ version: '1.0', tasks: { t1: { action: 'a.b' } } }).tasks.get('t1')).toEqual({
      name: 't1',
      action: 'a.b',
      next: [],
    });
  });

  it('keeps names of Object.prototype', () => {
    const { tasks } = parseWorkflow(
      'version: 1.0\ntasks:\n  __proto__: {action: a.b, input: {__proto__: 1}}\n  constructor: {action: a.b}',
    );
    expect([...tasks.keys()]).toEqual(['__proto__', 'constructor']);
    expect(Object.keys(tasks.get('__proto__')?.input ?? {})).toEqual(['__proto__']);
  });

  it.each([
    ['', 'The spec cannot be type of None.'],
    ['just text', 'The spec is not type of json or yaml.'],
    ['- a\n- list', 'The spec is not type of json or yaml.'],
    ['version: 1.0', "'tasks' is a required property"],
    ['version: 1.0\ntasks: {t1: {actoin: a.b}}', /'actoin' was unexpected/],
  ])('refuses %j', (text, message) => {
    expect(() => parseWorkflow(text)).toThrow(DefinitionError);
    expect(() => parseWorkflow(text)).toThrow(message);
  });

  it('reports the place of the first problem', () => {
    const failure = (): unknown => parseWorkflow('version: 1.0\ntasks:\n  t1:\n    delay: 1\n    foo: 1\n');
    expect(failure).toThrow(expect.objectContaining({ position: { line: 5, column: 5 } }) as Error);
  });

  it('refuses data that is nested too deeply', () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 10_000; depth += 1) value = [value];
    expect(() => parseWorkflow({ version: 1, vars: [{ v: value }], tasks: { t: { action: 'a.b' } } })).toThrow(
      DefinitionError,
    );
  });
});

const COMPLETE = `
version: 1.0
name: all of it
description: every key
tags: [one]
input: [a, {b: 2}, {c: null}]
vars:
  - v: {deep: [<% ctx(a) %>]}
timeout: 60
tasks:
  t1:
    action: core.local
    input: {cmd: date, empty: null}
    delay: 1
    join: all
    with: {items: "x, y in <% ctx(a) %>", concurrency: 2}
    retry:
      count: 3
      delay: {initial: 1, factor: 2, max: <% ctx(b) %>}
      when: <% failed() %>
    timeout: 2.5
    rollback: undo
    next:
      - when: <% succeeded() %>
        publish: p=1
        do: t2, t3
      - publish: [{q: null}]
  undo: {action: core.noop}
  last: {action: core.noop}
output:
  - o: <% ctx(v) %>
finally: [last]
`;
