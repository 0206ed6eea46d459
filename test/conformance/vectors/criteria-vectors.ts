import { compileCriterion } from '@switchyard/model';
import { difference, type Answer } from './compare';
import { filesOf, linesOf } from './vector-files';
import type { VectorKind } from './vector-kind';

interface CriterionLine {
  readonly operator: string;
  readonly value: unknown;
  readonly pattern: unknown;
  readonly condition?: string;
  readonly result?: boolean;
  readonly error?: string;
}

/** For a recorded error, the operator must not match and must report a problem. */
export const criteriaVectors: VectorKind = {
  name: 'criteria',
  files: (folder) => filesOf(folder, /^criteria/),
  read: (folder, file) =>
    (linesOf(folder, file) as CriterionLine[]).map((line) => ({
      key: `${line.operator} ${JSON.stringify(line.value)} ${JSON.stringify(line.pattern)}`,
      check: () => difference(recorded(line), ours(line)),
    })),
};

const recorded = ({ result, error }: CriterionLine): Answer =>
  error === undefined ? { value: result } : { refused: error };

function ours({ operator, value, pattern, condition }: CriterionLine): Answer {
  let refused: string | undefined;
  const problem = ({ reason }: { reason: string }): void => {
    refused = reason;
  };
  const holds = compileCriterion({ type: operator, pattern, condition })(value, { now: Date.now() * 1000, problem });
  return refused === undefined || holds ? { value: holds } : { refused };
}
