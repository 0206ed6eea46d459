import { normaliseArguments } from '../../src/program/normalise-arguments';

test.each([
  ['run core.local --attr id status cmd=x', 'run core.local --attr=id,status cmd=x'],
  ['run core.local -a cmd=x', 'run core.local -a cmd=x'],
  ['action execute core.local -a', 'action execute core.local -a'],
  ['execution re-run 1 -a', 'execution re-run 1 -a'],
  ['action-alias test go -a', 'action-alias test go -a'],
  ['action-alias match go -a name ref', 'action-alias match go --attr=name,ref'],
  ['execution get -a id 65f0c0ffee00000000000001', 'execution get --attr=id 65f0c0ffee00000000000001'],
  ['-t tok action list -a all -p core', '-t tok action list --attr=all -p core'],
  ['--api-url http://x execution list -w 10 20', '--api-url http://x execution list --width=10,20'],
  ['login me -w -p x', 'login me -w -p x'],
  ['execution list -tg 2000 -tl 2001', 'execution list --timestamp-gt 2000 --timestamp-lt 2001'],
  ['run core.local -- cmd --attr id', 'run core.local -- cmd --attr id'],
])('%s → %s', (before, after) => {
  expect(normaliseArguments(before.split(' '))).toEqual(after.split(' '));
});
