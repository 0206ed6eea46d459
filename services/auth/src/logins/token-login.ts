import type { RequestHead } from '@switchyard/http';

/** Finds out who requests a token. @returns the name of the user. @throws Fault with status 401, 403, 429 or 503 */
export type TokenLogin = (request: RequestHead) => Promise<string>;
