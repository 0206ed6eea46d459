import { isPlainObject } from '@switchyard/base';
import { Type } from '@sinclair/typebox';

/** Of a record whose parameters are encrypted in the store. */
export const errorSchema = Type.Optional(
  Type.String({ description: 'Why the stored parameters cannot be opened; none are shown then' }),
);

export const errorPart = (problem: string | undefined): { error?: string } =>
  problem === undefined ? {} : { error: problem };

/**
 * Checks what shall replace a record. A client that changes one thing of a record whose parameters cannot be opened sends back
 * the `error` that it was shown, and no parameters: what is stored of them stays, in case the key comes back.
 * @param isSame whether a draft gives nothing to the action to which the parameters belong
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
