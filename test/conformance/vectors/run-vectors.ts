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
  /** Keys of vectors that differ, and are listed as deliberately different. */
  readonly listed: readonly string[];
  /** Keys that are listed although the answers are the same. */
  readonly stale: readonly string[];
}

export interface FailedVector {
  readonly key: string;
  readonly difference: string;
  /** The cause, where the kind of vector has names for it. */
  readonly cause?: string;
}

/** Asks every vector of one file. */
export function runFile(kind: VectorKind, folder: string, file: string): FileOutcome {
  const listed = listedDifferences[kind.name] ?? {};
  const outcome = { file, passed: 0, failed: [] as FailedVector[], listed: [] as string[], stale: [] as string[] }; // prettier-ignore
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

/** A vector that breaks us is a difference like any other: the rest of the file is still asked. */
function differenceOf({ check }: Vector): string | undefined {
  try {
    return check();
  } catch (thrown) {
    return `broke with ${thrown instanceof Error ? `${thrown.name}: ${thrown.message.slice(0, 300)}` : String(thrown)}`;
  }
}

/** All files of a folder of vectors, with their kinds. */
export const vectorFiles = (folder: string): { kind: VectorKind; file: string }[] =>
  VECTOR_KINDS.flatMap((kind) => kind.files(folder).map((file) => ({ kind, file })));
