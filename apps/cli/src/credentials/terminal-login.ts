import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '@switchyard/base';
import { ApiError, ConnectionError, isNotFound, type Client, type Token } from '@switchyard/client';
import { challengeOf, userCodeOf } from '@switchyard/model';
import { CommandError, interruptible } from '../exit-codes';
import type { Terminal } from '../terminal';
import { listenForLogin } from './login-listener';
import { openBrowser } from './open-browser';

export interface TerminalLoginRequest {
  readonly client: Pick<Client, 'tokens'>;
  readonly terminal: Pick<Terminal, 'env' | 'stderr'>;
  /** For a browser on another computer: asks the server until somebody has logged in there. */
  readonly device: boolean;
  /** Whether a browser is opened. */
  readonly browser: boolean;
  readonly ttlSeconds: number | undefined;
}

const LOGIN_MINUTES = 10;
const POLL_MS = 2 * SECOND_MS;
const SECRET_BYTES = 32;

/**
 * Logs in with a browser: `svc login --sso`. The server issues the token only for a secret that this process keeps.
 * @param limit ends the attempt
 * @throws CommandError if single sign-on is off, nobody logs in in time, or somebody interferes
 */
export async function terminalLogin(
  request: TerminalLoginRequest,
  limit = AbortSignal.timeout(LOGIN_MINUTES * MINUTE_MS),
): Promise<Token> {
  const address = await loginAddress(request.client);
  const verifier = newSecret();
  const run = request.device ? onAnyComputer : onThisComputer;
  return interruptible(
    () => 'Nobody was logged in.',
    async (interruption) => {
      try {
        return await run(request, address, verifier, AbortSignal.any([limit, interruption]));
      } catch (error) {
        if (!limit.aborted) throw error;
        throw new CommandError(`Nobody logged in within ${LOGIN_MINUTES} minutes. Start again.`);
      }
    },
  );
}

/** @throws CommandError */
async function loginAddress({ tokens }: Pick<Client, 'tokens'>): Promise<string> {
  const { enabled, login_url: address } = await tokens.singleSignOn();
  if (!enabled) throw new CommandError('Single sign-on is not enabled on this server. Log in with "svc login USER".');
  if (address === undefined || !URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new CommandError('This server does not support single sign-on for svc. Log in with "svc login USER".');
  }
  return address;
}

async function onThisComputer(
  { client, terminal, browser, ttlSeconds }: TerminalLoginRequest,
  address: string,
  verifier: string,
  signal: AbortSignal,
): Promise<Token> {
  const [state, challenge] = [newSecret(), challengeOf(verifier)];
  const listener = await listenForLogin(state, (port) => withQuery(address, { port: String(port), state, challenge }));
  try {
    const opened = browser && openBrowser(terminal.env, listener.startAddress);
    terminal.stderr.write(
      `${opened ? 'Log in with the browser. If it does not open, use this address' : 'Open this address'} on this computer:\n` +
        `  ${listener.loginAddress}\nThe page must show the code ${userCodeOf(challenge)}.\n` +
        'If your browser is on another computer, use --device.\n',
    );
    const code = await listener.code(signal);
    return await client.tokens.ofTerminalLogin({ verifier, code }, { ttlSeconds, signal });
  } finally {
    listener.close();
  }
}

async function onAnyComputer(
  { client, terminal, ttlSeconds }: TerminalLoginRequest,
  address: string,
  verifier: string,
  signal: AbortSignal,
): Promise<Token> {
  const code = userCodeOf(challengeOf(verifier));
  terminal.stderr.write(
    `Open this address on any computer:\n  ${withQuery(address, { code })}\n` +
      `Or open ${address} and enter the code ${code}. The last page must show the same code.\n`,
  );
  for (;;) {
    try {
      return await client.tokens.ofTerminalLogin({ verifier }, { ttlSeconds, signal });
    } catch (error) {
      if (!mayComeLater(error)) throw error;
    }
    await sleep(POLL_MS, undefined, { signal });
  }
}

const TOO_MANY = 429;

/** Nobody has confirmed the login yet, or the server is temporarily unavailable. */
const mayComeLater = (error: unknown): boolean =>
  isNotFound(error) ||
  error instanceof ConnectionError ||
  (error instanceof ApiError && (error.status === TOO_MANY || error.status >= 500));

const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

function withQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
