import type { ErrorEntry } from './catalogue';

export const runnerErrors = {} as const satisfies Record<string, ErrorEntry>;
