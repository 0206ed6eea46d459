import type { ErrorEntry } from './catalogue';

export const configErrors = {} as const satisfies Record<string, ErrorEntry>;
