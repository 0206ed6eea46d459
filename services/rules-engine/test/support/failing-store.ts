import type { Store } from '@switchyard/storage';

/** Simulates the end of the process at this point. */
export class Ended extends Error {
  override readonly name = 'MongoNetworkError';
}

/**
 * A store that lets a number of calls through and then stops answering. The last call may or may not have taken effect.
 */
export function failingStore(store: Store, calls: number, lastTakesPlace: boolean): Store {
  let left = calls;
  const repository = (target: object): object =>
    new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...args: unknown[]) => {
          left -= 1;
          if (left < 0 || (left === 0 && !lastTakesPlace)) throw new Ended();
          const answer: unknown = await (member as (...given: unknown[]) => unknown).apply(target, args);
          if (left === 0) throw new Ended();
          return answer;
        };
      },
    });
  return new Proxy(store, {
    get: (_, name) => {
      const member: unknown = Reflect.get(store, name);
      return typeof member === 'object' && member !== null && name !== 'definitions' ? repository(member) : member;
    },
  });
}
