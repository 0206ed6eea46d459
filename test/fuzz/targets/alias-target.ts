import { isFault } from '@switchyard/base';
import { matchAlias, compileAliasFormat } from '@switchyard/model';
import { seedsOf } from '../corpus';
import type { FuzzTarget } from '../fuzz-target';

/** Separates the format from the command. */
const BETWEEN = '\n=>\n';

/** A format and a matching command. */
export const aliasTarget: FuzzTarget = {
  name: 'alias',
  seeds: seedsOf('alias.jsonl', ({ format, command }) => `${String(format)}${BETWEEN}${String(command)}`, [
    `deploy {{app}} to {{env=staging}}${BETWEEN}deploy web to prod force=true who="a b"`,
    `(run|execute) {{cmd}}( on {{hosts=localhost}})?[!.]?${BETWEEN}execute date on h2!`,
    `(?:\\s+|^)(?P<key>[A-Z]+-[0-9]+)(?:\\s|$)${BETWEEN}AB-1 and CD-2`,
    `x {{ a = {'k':'v'} }} {{b="q"}}${BETWEEN}x {"a": 1} 'b'`,
  ]),
  tokens: ['{{', '}}', '{{a}}', '{{b=1}}', '{{c="x y"}}', '{{', '=', ' k=v', ' k="a b"', "k=''", '(', ')?', '|', '.*', '\\s+', '^', '$', '(?P<n>', '(?i)', '[', ']', '{2,}', '+', BETWEEN], // oxfmt-ignore
  run: (input) => {
    const [format = '', command = input] = input.split(BETWEEN);
    const reader = compileAliasFormat(format);
    matchAlias([format, { representation: [format], match_multiple: true }], command);
    return [reader.extract(command), reader.extractAll(command)];
  },
  isRefusal: isFault,
};
