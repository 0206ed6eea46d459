/** What an expression gives that is nothing but a missing name, key or attribute. */
export const UNRESOLVED = Symbol('unresolved');
