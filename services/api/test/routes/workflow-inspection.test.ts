import { apiFixture, type ApiFixture } from '../support/api-fixture';

let api: ApiFixture;
beforeAll(async () => void (api = await apiFixture()));
afterAll(() => api.close());

const inspect = (text: string) => api.ada.post('workflows/inspect').set('content-type', 'text/plain').send(text);

describe('POST workflows/inspect', () => {
  it.each<[string, string, object[]]>([
    ['a sound definition', 'version: 1.0\ntasks:\n  a:\n    action: core.noop\n', []],
    [
      'an action that does not exist',
      'version: 1.0\ntasks:\n  a:\n    action: core.nope\n',
      [{ type: 'content', message: 'The action "core.nope" is not registered in the database.', line: 4 }],
    ],
    [
      'an input that its action does not take',
      'version: 1.0\ntasks:\n  a:\n    action: core.local\n    input: {comand: ls}\n',
      [
        { type: 'content', message: 'Action "core.local" is missing required input "cmd".' },
        { type: 'content', message: 'Action "core.local" has unexpected input "comand".' },
      ],
    ],
    [
      'a task and a variable that do not exist',
      'version: 1.0\ntasks:\n  a:\n    action: core.echo\n    input: {message: <% ctx().nope + ctx().st2.user %>}\n    next: [{do: b}]\n',
      [
        { type: 'context', language: 'yaql', spec_path: 'tasks.a.input' },
        { type: 'semantic', message: 'The task "b" is not defined.', spec_path: 'tasks.a.next[0].do' },
      ],
    ],
    [
      'an unknown key, and an action that does not exist',
      'version: 1.0\ntasks:\n  a:\n    action: core.nope\n    foo: 1\n',
      [
        { type: 'content', message: 'The action "core.nope" is not registered in the database.' },
        { type: 'syntax', spec_path: 'tasks.a' },
      ],
    ],
    ['a key that means nothing', 'version: 1.0\ntasks:\n  a:\n    acton: core.noop\n', [{ type: 'syntax' }]],
  ])('reports all findings about %s', async (_name, text, findings) => {
    const { body } = await inspect(text).expect(200);
    expect(body).toEqual(findings.map((finding) => expect.objectContaining(finding) as object));
  });

  it.each(['', '- a\n- b\n', 'a: [', '42'])('refuses an invalid definition: %j', async (text) => {
    const { body } = await inspect(text).expect(400);
    expect(body.faultstring).toEqual(expect.any(String));
  });

  it.each(['', '# long\n'.repeat(2000)])('names the place where a text is not YAML (%#)', async (start) => {
    const { body } = await inspect(`${start}version: 1.0\ntasks: [`).expect(400);
    expect(body).toMatchObject({ line: start.split('\n').length + 1, column: 9 });
  });

  // Runs in a separate thread, which needs the build.
  it('answers other requests while it inspects a large definition, and reports all findings', async () => {
    const order: string[] = [];
    const large = inspect(chainOf(4000, 'core.nope')).then((answer) => {
      order.push('definition');
      return answer;
    });
    await api.ada.get('actions?limit=1').expect(200);
    order.push('list');
    const { body } = await large;
    expect(order).toEqual(['list', 'definition']);
    expect(body).toEqual([
      expect.objectContaining({
        message: 'The action "core.nope" is not registered in the database.',
        line: 3 + 4000 * 4 + 1,
      }),
    ]);
  });

  it.each([
    ['- ', 'nested too deeply'],
    ['? ', 'nested too deeply'],
    [': ', 'expected another key'],
  ])('refuses 300,000 times %j', async (text, reason) => {
    const { body } = await inspect(text.repeat(300_000)).expect(400);
    expect(body.faultstring).toContain(reason);
  });
});

describe('POST workflows/graph', () => {
  const graph = (text: string) => api.ada.post('workflows/graph').set('content-type', 'text/plain').send(text);

  it('draws a definition with findings, without its invalid parts', async () => {
    const text = [
      'tasks:',
      '  a:',
      '    action: core.nope',
      '    with: <% ctx(hosts) %>',
      '    next: [{when: <% succeeded() %>, do: [b, c]}, {do: [fail]}]',
      '  b: {join: all, acton: x}',
      '  c:',
      '  d: {action: core.noop, next: {do: a}}',
    ].join('\n');
    const { body } = await graph(text).expect(200);
    expect(body).toEqual({
      nodes: [
        { id: 'a', action: 'core.nope', with_items: true },
        { id: 'd', action: 'core.noop', with_items: false },
        { id: 'b', join: 'all', with_items: false },
        { id: 'c', with_items: false },
        { id: 'fail', with_items: false },
      ],
      edges: [
        { from: 'a', to: 'b', when: '<% succeeded() %>' },
        { from: 'a', to: 'c', when: '<% succeeded() %>' },
        { from: 'a', to: 'fail' },
      ],
    });
  });

  it('draws a large definition', async () => {
    const { body } = await graph(chainOf(1000, 'core.noop')).expect(200);
    expect([body.nodes.length, body.edges.at(-1)]).toEqual([1001, { from: 't999', to: 't1000' }]);
  });

  it('refuses a text that is not a definition', async () => {
    expect((await graph('a: [').expect(400)).body).toMatchObject({ faultstring: expect.any(String), line: 1 });
  });
});

describe('POST workflows/rehearse', () => {
  const definition = [
    'version: 1.0',
    'tasks:',
    '  ask:',
    '    action: core.nope question="<% ctx(st2).user + ctx(st2).pack %>?"',
    '    next: [{when: <% succeeded() %>, publish: answer=<% result() %>}]',
    'output: [{answer: <% ctx(answer) %>}]',
  ].join('\n');
  const rehearse = (body: object) => api.ada.post('workflows/rehearse').send(body);

  it('runs the workflow with the results of the rehearsal, also of actions that do not exist', async () => {
    const rehearsal = 'mock_action_executions: [{task_id: ask, result: 42}]\nexpected_output: {answer: 43}';
    const { body } = await rehearse({ definition, rehearsal }).expect(200);
    expect(body).toEqual({
      passed: false,
      differences: [{ what: 'output', expected: { answer: 43 }, actual: { answer: 42 } }],
      outcome: {
        status: 'succeeded',
        tasks: [
          { task: 'ask', route: 0, status: 'succeeded', input: { question: 'ada?' } },
          { task: 'continue', route: 0, status: 'succeeded' },
        ],
        task_sequence: ['ask', 'continue'],
        routes: [[]],
        term_tasks: ['ask', 'continue'],
        output: { answer: 42 },
        errors: [],
      },
    });
  });

  it.each<[string, object, object]>([
    ['definition', { definition: 'tasks: [', rehearsal: {} }, { field: 'definition', line: 1, column: 9 }],
    ['rehearsal', { definition, rehearsal: 'inputs: [' }, { field: 'rehearsal', line: 1, column: 10 }],
    ['request', { definition, rehearsal: 1 }, { field: 'rehearsal' }],
  ])('names the place in an invalid %s', async (_, sent, place) => {
    const { body } = await rehearse(sent).expect(400);
    expect(body).toMatchObject({ faultstring: expect.any(String), ...place });
  });
});

const chainOf = (length: number, last: string): string => {
  const tasks = Array.from({ length }, (_, n) => `  t${n}:\n    action: core.noop\n    next:\n      - do: t${n + 1}\n`);
  return `version: 1.0\ntasks:\n${tasks.join('')}  t${length}:\n    action: ${last}\n`;
};
