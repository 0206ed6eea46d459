import { defaultDataLimits } from '@switchyard/base';
import { callerContext as contextWithin } from '../../src/executions/create';

const callerContext = (body: Record<string, unknown> | undefined, header?: string) =>
  contextWithin(body, header, defaultDataLimits);

describe('The context that a caller sends', () => {
  it('is that of the body, overlaid with that of the header', () => {
    expect(callerContext({ a: 1, b: 1 }, '{"b": 2, "api_user": "bot"}')).toEqual({ a: 1, b: 2, api_user: 'bot' });
    expect(callerContext(undefined, undefined)).toEqual({});
  });

  it.each([
    ['nested deep', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, /limits\.max_depth/],
    ['with a NUL in a key', '{"a\\u0000":1}', /NUL/],
  ])('is refused in a header when it is %s', (_, header, message) => {
    expect(() => callerContext({}, header)).toThrow(message);
  });

  it('never identifies the user', () => {
    const claimed = { user: 'root', pack: 'core', rbac: { roles: ['admin'] }, mine: 1 };
    expect(callerContext(claimed, JSON.stringify(claimed))).toEqual({ mine: 1 });
    expect(callerContext({ parent: { execution_id: 'x', user: 'root', note: 1 } }, undefined)).toEqual({
      parent: { execution_id: 'x', note: 1 },
    });
  });

  it('never names the workflow run that an engine continues', () => {
    const claimed = { 're-run': { ref: 'x', tasks: ['a'] }, workflow_execution: 'y', mine: 1 };
    expect(callerContext(claimed, JSON.stringify(claimed))).toEqual({ mine: 1 });
  });

  it.each([
    ['the task of a workflow', { orquesta: { task_name: 'a' }, chain: { name: 'a' } }],
    ['the number of attempts', { policies: { retry: { retry_count: -1000 } } }],
    ['who stopped or answered it', { cancelled_by: 'root', paused_by: 'root', resumed_by: 'x', responded_by: 'x' }],
  ])('never sets %s', (_, claimed) => {
    expect(callerContext({ ...claimed, mine: 1 }, JSON.stringify(claimed))).toEqual({ mine: 1 });
  });

  it.each([{}, null])('may have %j as parent and trace', (nothing) => {
    const context = { parent: nothing, trace_context: nothing };
    expect(callerContext(context, undefined)).toEqual(context);
  });

  it.each([
    ['{bad', 'str'],
    ['[1]', 'list'],
    ['5', 'int'],
    ['null', 'NoneType'],
  ])('is refused with the header %s', (header, type) => {
    expect(() => callerContext({}, header)).toThrow(
      `Unable to convert svc-context from the headers into JSON (was <class '${type}'>).`,
    );
  });

  it.each([
    [{ parent: 'x' }, 'The context member "parent" is not valid: expected an object, got "x"'],
    [
      { parent: { note: 1 } },
      'The context member "parent.execution_id" is not valid: expected the id of an execution, got nothing',
    ],
    [{ trace_context: 5 }, 'The context member "trace_context" is not valid: expected an object, got 5'],
    [{ trace_context: { id_: 5 } }, 'The context member "trace_context.id_" is not valid: expected a text, got 5'],
  ])('is refused as %j', (context, message) => {
    expect(() => callerContext(context, undefined)).toThrow(message);
  });
});
