import type { ErrorEntry } from './catalogue';

export const parameterErrors = {} as const satisfies Record<string, ErrorEntry>;
