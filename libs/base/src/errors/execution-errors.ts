import type { ErrorEntry } from './catalogue';

export const executionErrors = {} as const satisfies Record<string, ErrorEntry>;
