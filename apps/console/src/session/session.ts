import { useSyncExternalStore } from 'react';

/** The login of this browser. */
export interface BrowserSession {
  readonly token: string;
  readonly user: string;
}

/** Lasts as long as the tab, including reloads. */
const STORAGE_KEY = 'switchyard.session';
/** The key under which the last page of single sign-on stores the token. */
const SINGLE_SIGN_ON_KEY = 'st2Session';
/** How long a new tab waits for the session of another tab. */
const ASK_MS = 150;

let current: BrowserSession | undefined = stored();
const listeners = new Set<() => void>();
const otherTabs = new BroadcastChannel('switchyard.session');

type TabMessage = { kind: 'ask' | 'end' } | { kind: 'session'; session: BrowserSession };

otherTabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
  if (data.kind === 'ask' && current) otherTabs.postMessage({ kind: 'session', session: current });
  if (data.kind === 'session' && !current) keep(data.session);
  if (data.kind === 'end') keep(undefined);
};

/** Finds the session of a login that has just ended at an identity provider, or that of another tab. */
export async function findSession(): Promise<void> {
  const fromProvider = takeFromProvider();
  if (fromProvider) keep(fromProvider);
  if (current) return;
  otherTabs.postMessage({ kind: 'ask' });
  await new Promise((resolve) => setTimeout(resolve, ASK_MS));
}

export const sessionToken = (): string | undefined => current?.token;

export function beginSession(session: BrowserSession): void {
  keep(session);
  otherTabs.postMessage({ kind: 'session', session });
}

/** Removes the token from all tabs. */
export function endSession(): void {
  if (!current) return;
  keep(undefined);
  otherTabs.postMessage({ kind: 'end' });
}

export const useSession = (): BrowserSession | undefined => useSyncExternalStore(subscribe, () => current);

function keep(session: BrowserSession | undefined): void {
  current = session;
  if (session) sessionStorage.setItem(STORAGE_KEY, JSON.stringify(session));
  else sessionStorage.removeItem(STORAGE_KEY);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function stored(): BrowserSession | undefined {
  return sessionIn(sessionStorage.getItem(STORAGE_KEY));
}

function takeFromProvider(): BrowserSession | undefined {
  const text = localStorage.getItem(SINGLE_SIGN_ON_KEY);
  localStorage.removeItem(SINGLE_SIGN_ON_KEY);
  try {
    const { token } = JSON.parse(text ?? '{}') as { token?: unknown };
    return sessionIn(JSON.stringify(token ?? null));
  } catch {
    return undefined;
  }
}

function sessionIn(text: string | null): BrowserSession | undefined {
  try {
    const { token, user } = (JSON.parse(text ?? 'null') ?? {}) as Partial<BrowserSession>;
    return typeof token === 'string' && typeof user === 'string' ? { token, user } : undefined;
  } catch {
    return undefined;
  }
}
