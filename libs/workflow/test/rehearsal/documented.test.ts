import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkActionChain, inspectWorkflow, parseRehearsal, rehearse, workflowWarnings } from '../../src';

const page = readFileSync(resolve(__dirname, '../../../../docs/workflows.md'), 'utf8');

/** The examples that are files, by the name in their first line. */
const files = new Map(
  [...page.matchAll(/```yaml\n# ([\w-]+\.yaml)\n([\s\S]*?)```/g)].map(([, name = '', text = '']) => [name, text]),
);
const named = (ending: RegExp): string[] => [...files.keys()].filter((name) => ending.test(name));

describe('the examples in docs/workflows.md', () => {
  it('exist', () => {
    expect(named(/-test\.yaml$/)).toHaveLength(2);
  });

  it('are valid', () => {
    const definition = files.get('update-hosts.yaml') ?? '';
    expect([inspectWorkflow(definition), workflowWarnings(definition)]).toEqual([{}, []]);
    expect(checkActionChain(files.get('greet-chain.yaml') ?? '')).toEqual([]);
  });

  it.each(named(/-test\.yaml$/))('%s passes', (name) => {
    const rehearsal = parseRehearsal(files.get(name) ?? '');
    expect(rehearse(files.get(rehearsal.workflow) ?? '', rehearsal)).toEqual({ passed: true, differences: [] });
  });
});
