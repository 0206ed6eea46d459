import type { WorkflowDefinitionRecord } from '@switchyard/model';
import { DefinitionError } from '@switchyard/workflow';
import { parseDefinition } from '../src/definitions';

const record = (runner: string, text: string): WorkflowDefinitionRecord => ({ _id: 'd', runner, text });
// More than is parsed directly. The thread loads the built packages.
const padding = `# ${'x'.repeat(20_000)}\n`;

const workflow =
  'version: 1.0\ninput:\n  - a: 1\ntasks:\n  a:\n    action: core.noop\n    with: <% ctx().a %>\n    next:\n      - when: <% succeeded() %>\n        publish:\n          - b: 2\n        do: b\n  b:\n    action: core.noop\n    join: all\n';
const chain =
  'vars:\n  a: 1\nchain:\n  - name: a\n    ref: core.noop\n    parameters: {b: "{{ c }}"}\n    on-success: b\n  - name: b\n    ref: core.noop\n';

describe('a large definition is parsed in a thread', () => {
  it.each([
    ['orquesta', workflow],
    ['action-chain', chain],
  ])('and is the same as a small one: %s', async (runner, text) => {
    const small = await parseDefinition(record(runner, text), ['c']);
    const large = await parseDefinition(record(runner, padding + text), ['c']);
    expect({ ...large, record: undefined }).toEqual({ ...small, record: undefined });
    expect(large.spec.tasks.size).toBe(2);
  });

  it('and refused with the same error', async () => {
    const refused = await parseDefinition(record('orquesta', `${padding}- a`), []).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DefinitionError);
    expect((refused as Error).message).toBe('The spec is not type of json or yaml.');
  });
});
