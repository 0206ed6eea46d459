import type { DatastoreReader } from '../parameters/input';

/** The object that patterns see as `system` (the oldest form, `{{ system.name }}`); items are read on demand. */
export function systemItems({ read }: Pick<DatastoreReader, 'read'>): object {
  const item = (name: string | symbol): string | undefined =>
    typeof name === 'string' ? (read({ scope: 'system', name, decrypt: false }) ?? '') : undefined;
  const items = new Proxy(
    {},
    {
      get: (_, name) => item(name),
      has: (_, name) => typeof name === 'string',
      getOwnPropertyDescriptor: (_, name) =>
        typeof name === 'string'
          ? { value: item(name), configurable: true, enumerable: true, writable: false }
          : undefined,
    },
  );
  made.add(items);
  return items;
}

const made = new WeakSet();

/** Whether a value was made by `systemItems`. */
export const isSystemItems = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && made.has(value);
