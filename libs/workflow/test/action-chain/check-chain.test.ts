import { checkActionChain, DefinitionError, parseActionChain } from '../../src';

const messages = (yaml: string): string[] =>
  checkActionChain(yaml, { action: 'pack.chain' }).map(({ message }) => message);

const node = (name: string, more = ''): string => `  - {name: ${name}, ref: core.noop${more}}\n`;

describe('checkActionChain', () => {
  it.each([
    ['a valid chain', `chain:\n${node('a', ', on-success: b')}${node('b')}`, []],
    ['empty links', `default:\nchain:\n${node('a', ', on-success: "", on-failure: ')}`, []],
    ['an empty chain', 'chain: []', ['Failed to find default node in pack.chain.']],
    ['a chain without nodes', 'vars: {a: 1}', ["'chain' is a required property"]],
    ['an unknown key', 'chain: []\nfoo: 1', ["Additional properties are not allowed ('foo' was unexpected)"]],
    ['a later node without a ref', `chain:\n${node('a')}  - name: b\n`, ["'ref' is a required property"]],
    ['a later node with an unknown key', `chain:\n${node('a')}${node('b', ', onsuccess: a')}`, [
      "Additional properties are not allowed ('onsuccess' was unexpected)",
    ]],
    ['a variable with an invalid name', `vars: {a-b: 1}\nchain:\n${node('a')}`, [expect.stringMatching(/'a-b' does not match/)]],
    ['params and parameters', `chain:\n${node('a', ', params: {x: 1}, parameters: {x: 1}')}`, [
      'Either "params" or "parameters" attribute needs to be provided, but not both',
    ]],
    ['a name given twice', `chain:\n${node('a')}${node('a')}`, ['The node name "a" is used more than once.']],
    ['links to nowhere', `chain:\n${node('a', ', on-success: x, on-failure: y')}`, [
      'Unable to find node with name "x" referenced in "on-success" in task "a".',
      'Unable to find node with name "y" referenced in "on-failure" in task "a".',
    ]],
    ['an unknown default', `default: x\nchain:\n${node('a')}`, ['Unable to find node with name "x" referenced in "default".']],
    ['a template for a node', `chain:\n${node('a', ', on-success: "{{ b }}"')}`, []],
  ])('checks %s', (_, yaml, expected) => {
    expect(messages(yaml)).toEqual(expected);
  }); // oxfmt-ignore

  it('reports the place', () => {
    expect(checkActionChain(`chain:\n${node('a')}${node('b', ',\n     on-success: x')}`)).toEqual([
      { message: 'Unable to find node with name "x" referenced in "on-success" in task "b".', line: 4, column: 6 },
    ]);
  });

  it('names an unreadable file', () => {
    const failure = (): unknown => parseActionChain('chain: [', { file: '/opt/chain.yaml' });
    expect(failure).toThrow(DefinitionError);
    expect(failure).toThrow(/^Failed to parse action chain definition from "\/opt\/chain.yaml": /);
  });
});

describe('parseActionChain', () => {
  it('reads every part', () => {
    const chain = parseActionChain(`
vars: {v: "{{ p }}"}
chain:
  - {name: b, ref: core.local, params: {cmd: date}}
  - name: a
    ref: core.noop
    on-success: b
    on-failure: b
    publish: {x: "{{ a.stdout }}"}
    notify: {on-complete: {message: done}}
`);
    const written = [...chain.nodes.values()].map((each) => each.written);
    expect(written.map(Object.keys)).toEqual([
      ['name', 'ref', 'params'],
      ['name', 'ref', 'on-success', 'on-failure', 'publish', 'notify'],
    ]);
    expect(chain).toEqual({
      start: 'a',
      vars: [{ name: 'v', value: '{{ p }}' }],
      nodes: new Map([
        ['b', { name: 'b', ref: 'core.local', parameters: { cmd: 'date' }, publish: [], written: written[0] }],
        ['a', {
          name: 'a', ref: 'core.noop', parameters: {}, onSuccess: 'b', onFailure: 'b',
          publish: [{ name: 'x', value: '{{ a.stdout }}' }], notify: { 'on-complete': { message: 'done' } }, written: written[1],
        }],
      ]),
    }); // oxfmt-ignore
  });

  it.each([
    ['the default', `default: b\nchain:\n${node('a')}${node('b')}`, 'b'],
    ['the first node without a predecessor', `chain:\n${node('a')}${node('b', ', on-success: a')}`, 'b'],
    ['the first node of a cycle', `chain:\n${node('a', ', on-success: b')}${node('b', ', on-success: a')}`, 'a'],
  ])('starts with %s', (_, yaml, start) => {
    expect(parseActionChain(yaml).start).toBe(start);
  });
});
