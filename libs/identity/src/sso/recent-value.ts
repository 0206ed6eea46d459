import type { Clock } from '@switchyard/base';

/**
 * Keeps what was read for a while. Whoever asks at the same time shares one read, also one that fails; a failure is not kept.
 * @returns reads the value, or gives the one that was read less than `freshMs` ago
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
