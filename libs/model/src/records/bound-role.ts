import { isPlainObject } from '@switchyard/base';

/**
 * The role that limits an execution or a rule besides its user, because it was caused by a token for unattended use.
 * @param context of an execution or a rule. Callers cannot set this member
 */
export function boundRole(context: Readonly<Record<string, unknown>>): string | undefined {
  const { rbac } = context;
  const role = isPlainObject(rbac) ? rbac['role'] : undefined;
  return typeof role === 'string' ? role : undefined;
}

/** The context with this role, and without any other. */
export function withBoundRole(
  { rbac: _, ...context }: Readonly<Record<string, unknown>>,
  role: string | undefined,
): Record<string, unknown> {
  return { ...context, ...(role === undefined ? {} : { rbac: { role } }) };
}
