import { aliasVectors } from './alias-vectors';
import { criteriaVectors } from './criteria-vectors';
import { jinjaVectors } from './jinja-vectors';
import { listedDifferences } from './listed-differences';
import type { Vector, VectorKind } from './vector-kind';
import { workflowVectors } from './workflow-vectors';
import { yaqlVectors } from './yaql-vectors';

export const VECTOR_KINDS: readonly VectorKind[] = [
  yaqlVectors,
  jinjaVectors,
  criteriaVectors,
  aliasVectors,
  workflowVectors,
];

export interface FileOutcome {
  readonly file: string;
  readonly passed: number;
  readonly failed: readonly FailedVector[];
  /** Keys of differing vectors that are listed as deliberately different. */
  readonly listed: readonly string[];
  /** Listed keys whose results are the same. */
  readonly stale: readonly string[];
}

export interface FailedVector {
  readonly key: string;
  readonly difference: string;
  /** The cause, if the kind of vector names causes. */
  readonly cause?: string;
}

/** Checks every vector of one file. */
export function runFile(kind: VectorKind, folder: string, file: string): FileOutcome {
  const listed = listedDifferences[kind.name] ?? {};
  const outcome = { file, passed: 0, failed: [] as FailedVector[], listed: [] as string[], stale: [] as string[] }; // oxfmt-ignore
  for (const vector of kind.read(folder, file)) {
    const difference = differenceOf(vector);
    const isListed = Object.hasOwn(listed, vector.key);
    if (difference === undefined) {
      outcome.passed += 1;
      if (isListed) outcome.stale.push(vector.key);
    } else if (isListed) outcome.listed.push(vector.key);
    else outcome.failed.push(failed(vector, difference));
  }
  return outcome;
}

const failed = ({ key, classOf }: Vector, difference: string): FailedVector => ({
  key,
  difference,
  ...(classOf && { cause: classOf(difference) }),
});

/** An unexpected error counts as a difference, and the rest of the file is still checked. */
function differenceOf({ check }: Vector): string | undefined {
  try {
    return check();
  } catch (thrown) {
    return `broke with ${thrown instanceof Error ? `${thrown.name}: ${thrown.message.slice(0, 300)}` : String(thrown)}`;
  }
}

/** All vector files of a folder, with their kinds. */
export const vectorFiles = (folder: string): { kind: VectorKind; file: string }[] =>
  VECTOR_KINDS.flatMap((kind) => kind.files(folder).map((file) => ({ kind, file })));
