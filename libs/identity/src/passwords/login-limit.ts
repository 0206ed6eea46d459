import { MINUTE_MS, SECOND_MS, fault, type Clock } from '@switchyard/base';

/** Wrong passwords in a row, per user and address, before that pair is blocked. */
const MOST_FAILURES = 10;
const WAIT_MS = MINUTE_MS;
const MOST_ENTRIES = 10_000;

/**
 * Slows down password guessing. Ten wrong passwords in a row for one user from one address block that pair for a minute
 * after the last one, even for the right password. A success resets the count. Each process counts separately.
 */
export interface LoginLimit {
  /** @throws Fault `auth.too-many-failures` */
  check(user: string, address: string): void;
  failed(user: string, address: string): void;
  succeeded(user: string, address: string): void;
}

export function loginLimit(clock: Pick<Clock, 'monotonicMs'>): LoginLimit {
  const failures = new Map<string, { count: number; until: number }>();
  const keyOf = (user: string, address: string) => JSON.stringify([user, address]);
  const current = (key: string) => {
    const entry = failures.get(key);
    if (!entry || entry.until > clock.monotonicMs()) return entry;
    failures.delete(key);
    return undefined;
  };
  return {
    check(user, address) {
      const entry = current(keyOf(user, address));
      if (!entry || entry.count < MOST_FAILURES) return;
      const seconds = Math.ceil((entry.until - clock.monotonicMs()) / SECOND_MS);
      throw fault('auth.too-many-failures', { seconds }, { extra: { retry_after: seconds } });
    },
    failed(user, address) {
      const key = keyOf(user, address);
      const count = (current(key)?.count ?? 0) + 1;
      failures.delete(key);
      if (failures.size >= MOST_ENTRIES) failures.delete(failures.keys().next().value as string);
      failures.set(key, { count, until: clock.monotonicMs() + WAIT_MS });
    },
    succeeded: (user, address) => void failures.delete(keyOf(user, address)),
  };
}
