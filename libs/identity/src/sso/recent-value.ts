import type { Clock } from '@switchyard/base';

/**
 * Caches a value for a while. Concurrent calls share one read, even if it fails; failures are not cached. @returns a
 * function that returns the value, read less than `freshMs` ago
 */
export function recentValue<T>(clock: Pick<Clock, 'monotonicMs'>, freshMs: number) {
  let asked: { readonly value: Promise<T>; readonly atMs: number } | undefined;
  return (read: () => Promise<T>): Promise<T> => {
    if (asked && clock.monotonicMs() - asked.atMs < freshMs) return asked.value;
    const value = read();
    asked = { value, atMs: clock.monotonicMs() };
    value.catch(() => (asked = undefined));
    return value;
  };
}
