import { isFault } from '@switchyard/base';
import { compileAliasFormat } from '@switchyard/model';
import { answerOf, difference, type Answer } from './compare';
import { filesOf, linesOf } from './vector-files';
import type { VectorKind } from './vector-kind';

interface AliasLine {
  readonly format: string;
  readonly command: string;
  readonly result?: Record<string, string | null>;
  readonly error?: string;
}

/** A command that does not match and an invalid format both count as refusals. */
export const aliasVectors: VectorKind = {
  name: 'alias',
  files: (folder) => filesOf(folder, /^alias/),
  read: (folder, file) =>
    (linesOf(folder, file) as AliasLine[]).map((line) => ({
      key: `${line.format} <- ${line.command}`,
      check: () => difference(recorded(line), ours(line)),
    })),
};

/** A parameter recorded as null was not given; here it is absent. */
const recorded = ({ result, error }: AliasLine): Answer =>
  result === undefined
    ? { refused: error ?? 'error' }
    : { value: Object.fromEntries(Object.entries(result).filter(([, value]) => value !== null)) };

function ours({ format, command }: AliasLine): Answer {
  const answer = answerOf(() => compileAliasFormat(format).extract(command), isFault);
  return 'value' in answer && answer.value === undefined ? { refused: 'no match' } : answer;
}
