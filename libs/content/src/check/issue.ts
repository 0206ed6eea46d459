import { fault, isFault, type Fault } from '@switchyard/base';

export type FieldPath = readonly (string | number)[];

/** Something wrong with a document: where, what was expected and what came. */
export interface Issue {
  path: FieldPath;
  text: string;
  /** The text does not say which field it is about. */
  vague?: true;
  /** What a check of a lower layer threw; callers that answer a request pass it on as it is. */
  fault?: Fault;
}

/** Thrown by nobody: either the wanted value, or every reason why there is none. */
export type Checked<T> = { value: T; issues: readonly never[] } | { value?: undefined; issues: readonly Issue[] };

export const issue = (path: FieldPath, text: string): Issue => ({ path, text });

export const fieldName = (path: FieldPath): string => path.join('.');

/** Runs a check that throws faults. @returns what it threw, as issues of a field */
export function issuesOf(path: FieldPath, check: () => void): Issue[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!isFault(error)) throw error;
    return [{ path, text: error.message, fault: error }];
  }
}

/** @throws Fault of the first issue, `content.invalid` unless a check gave its own */
export function refuse([first]: readonly Issue[]): void {
  if (!first) return;
  const where = first.vague && first.path.length > 0 ? ` (${fieldName(first.path)})` : '';
  throw first.fault ?? fault('content.invalid', { text: first.text + where });
}

/** @throws Fault as `refuse` does, when there is no value */
export function accepted<T>(checked: Checked<T>): T {
  refuse(checked.issues);
  return checked.value as T;
}
