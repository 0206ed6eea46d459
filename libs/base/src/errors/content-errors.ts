import type { ErrorEntry } from './catalogue';

export const contentErrors = {} as const satisfies Record<string, ErrorEntry>;
