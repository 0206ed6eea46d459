import { createHash } from 'node:crypto';
import { fault, MINUTE_MS, MS_MICROS, SECOND_MS, type Clock } from '@switchyard/base';
import type { Store } from '@switchyard/storage';

/** Wrong passwords in a row, per user and network, before that pair is blocked. */
const MOST_FAILURES = 10;
const WAIT_MS = MINUTE_MS;

export interface LoginLimitDependencies {
  readonly store: Pick<Store, 'loginFailures'>;
  readonly clock: Pick<Clock, 'nowMicros'>;
}

/**
 * Slows down password guessing. Ten wrong passwords in a row for one user from one network block that pair for a minute
 * after the last one, even for the right password. A success resets the count. All processes count together, in the store.
 */
export interface LoginLimit {
  /** @throws Fault `auth.too-many-failures` */
  check(user: string, network: string): Promise<void>;
  failed(user: string, network: string): Promise<void>;
  succeeded(user: string, network: string): Promise<void>;
}

export function loginLimit({ store: { loginFailures }, clock }: LoginLimitDependencies): LoginLimit {
  const nowMs = () => clock.nowMicros() / MS_MICROS;
  const find = (id: string) => loginFailures.get(id, new Date(nowMs()));
  return {
    async check(user, network) {
      const found = await find(idOf(user, network));
      if (!found || found.count < MOST_FAILURES) return;
      const seconds = Math.max(1, Math.ceil((found.expires.getTime() - nowMs()) / SECOND_MS));
      throw fault('auth.too-many-failures', { seconds }, { extra: { retry_after: seconds } });
    },
    async failed(user, network) {
      const now = nowMs();
      await loginFailures.add(idOf(user, network), new Date(now), new Date(now + WAIT_MS));
    },
    async succeeded(user, network) {
      const id = idOf(user, network);
      if (await find(id)) await loginFailures.remove(id);
    },
  };
}

const idOf = (user: string, network: string): string =>
  createHash('sha256')
    .update(JSON.stringify([user, network]))
    .digest('hex');
