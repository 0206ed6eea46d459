import { flatFindings, inspectWorkflow } from '../../src';

it('lists all findings by kind, with the language of expressions', () => {
  const inspection = inspectWorkflow(
    {
      version: 1,
      tasks: {
        a: { action: 'core.local', input: { cmd: '<% ctx().nope %>', mixed: '<% 1 %>{{ 2 }}' }, next: [{ do: 'b' }] },
        c: { action: 'x.y', delay: -1 },
      },
    },
    { actions: (ref) => (ref === 'core.local' ? { cmd: {}, mixed: {} } : undefined) },
  );
  expect(flatFindings(inspection).map(({ type, language, spec_path }) => ({ type, language, spec_path }))).toEqual([
    { type: 'content', language: undefined, spec_path: 'tasks.c.action' },
    { type: 'context', language: 'yaql', spec_path: 'tasks.a.input' },
    { type: 'expression', language: null, spec_path: 'tasks.a.input' },
    { type: 'semantic', language: undefined, spec_path: 'tasks.a.next[0].do' },
    { type: 'syntax', language: undefined, spec_path: 'tasks.c.delay' },
  ]);
});

it('is empty for a valid definition', () => {
  expect(flatFindings(inspectWorkflow({ version: '1.0', tasks: { a: { action: 'core.noop' } } }))).toEqual([]);
});
