import { fault, isFault, type Fault } from '@switchyard/base';
import { pythonStr } from '@switchyard/model';

export type FieldPath = readonly (string | number)[];

/** A problem in a document: where it is, what was expected and what was found. */
export interface Issue {
  path: FieldPath;
  text: string;
  /** The fault thrown by a check of a lower layer; API requests are answered with it unchanged. */
  fault?: Fault;
}

/** Either a value, with the issues of optional parts that were left out, or every reason why there is no value. */
export type Checked<T> =
  | { value: T; issues: readonly never[]; leftOut?: readonly Issue[] }
  | { value?: undefined; issues: readonly Issue[] };

export const issue = (path: FieldPath, text: string): Issue => ({ path, text });

export const fieldName = (path: FieldPath): string => path.join('.');

/** Runs a check that throws faults. @returns the thrown fault as an issue of a field */
export function issuesOf(path: FieldPath, check: () => void): Issue[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!isFault(error)) throw error;
    return [{ path, text: error.message, fault: error }];
  }
}

/** @throws Fault of the first issue; `content.invalid` with its `field` if the issue has no fault of its own */
export function refuseIssues([first]: readonly Issue[]): void {
  if (!first) return;
  const { path, text } = first;
  const extra = path.length > 0 ? { field: fieldName(path) } : {};
  throw first.fault ?? fault('content.invalid', { text }, { extra });
}

/** @throws Fault like `refuseIssues`, when there is no value */
export function acceptedValue<T>(checked: Checked<T>): T {
  refuseIssues(checked.issues);
  return checked.value as T;
}

/** A file may name its pack, which must be the pack that contains it. */
export function checkPackField({ pack }: { readonly pack?: unknown }, expected: string): Issue[] {
  if (pack === undefined || pack === expected) return [];
  return [issue(['pack'], `Model is in pack "${expected}" but field "pack" is different: ${pythonStr(pack)}`)];
}
