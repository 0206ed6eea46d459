import type { ErrorEntry } from './catalogue';

export const requestErrors = {} as const satisfies Record<string, ErrorEntry>;
