import { SECOND_MS } from '@switchyard/base';
import type { Tokens } from '@switchyard/identity';

export interface SelfCheckDeps {
  /** Base address of the API, such as `http://127.0.0.1:9101`. */
  apiUrl: string;
  tokens: Pick<Tokens, 'issueToken' | 'revoke'>;
  user: string;
}

const LIMIT_MS = 20 * SECOND_MS;
const LOOK_MS = 10;

interface Answer {
  id?: string;
  status?: string;
  result?: { failed?: boolean; stdout?: unknown };
  faultstring?: string;
}

/**
 * Runs a local command through the API, as a user would, and waits for an execution result that is not a failure.
 * @throws Error with the step that failed
 */
export async function selfCheck({ apiUrl, tokens, user }: SelfCheckDeps): Promise<void> {
  const { token } = await tokens.issueToken({ user, ttlSeconds: LIMIT_MS / SECOND_MS + 10, service: true });
  try {
    const call = caller(apiUrl, token);
    const body = { action: 'core.local', parameters: { cmd: 'echo switchyard' } };
    const { id } = await call('/v1/executions', { method: 'POST', body: JSON.stringify(body) });
    const deadline = Date.now() + LIMIT_MS;
    for (;;) {
      const { status, result } = await call(`/v1/executions/${id ?? ''}?include_attributes=status,result`);
      if (result?.failed === false) return;
      if (result?.failed === true || Date.now() > deadline)
        throw new Error(`the local command of the self-check is in status "${status ?? ''}" (execution ${id ?? ''})`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  } finally {
    await tokens.revoke(token);
  }
}

const caller =
  (apiUrl: string, token: string) =>
  async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = { 'x-auth-token': token, 'content-type': 'application/json' };
    const response = await fetch(apiUrl + path, { ...init, headers, signal: AbortSignal.timeout(LIMIT_MS) });
    const answer = (await response.json()) as Answer;
    if (!response.ok) throw new Error(`the API responded with ${response.status}: ${answer.faultstring ?? ''}`);
    return answer;
  };
