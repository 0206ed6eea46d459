import type { ErrorEntry } from './catalogue';

export const authErrors = {} as const satisfies Record<string, ErrorEntry>;
