import { isPlainObject } from '@switchyard/base';

/** The part of a record that shows whether its parameters could be decrypted. */
export const errorPart = (problem: string | undefined): { error?: string } =>
  problem === undefined ? {} : { error: problem };

/**
 * Checks the replacement of a record. A client that changes one field of a record whose parameters cannot be decrypted
 * sends back the `error` that it was shown, and no parameters. The stored parameters are kept, in case the key is
 * restored. @param isSame whether the draft still passes no parameters to the same action
 */
export function checkReplacement<R extends object>(
  body: unknown,
  { problem }: { readonly problem?: string },
  { check, isSame }: { readonly check: (body: unknown) => R; readonly isSame: (draft: R) => boolean },
): R & { problem?: string } {
  if (problem === undefined || !isPlainObject(body) || !Object.hasOwn(body, 'error')) return check(body);
  const { error: _, ...given } = body;
  const draft = check(given);
  return isSame(draft) ? { ...draft, problem } : draft;
}

export const isEmpty = (parameters: Readonly<Record<string, unknown>>): boolean => Object.keys(parameters).length === 0;
