import type { ErrorEntry } from './catalogue';

export const messagingErrors = {} as const satisfies Record<string, ErrorEntry>;
