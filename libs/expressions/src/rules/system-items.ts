import { templateRoots } from '../jinja';
import { isTemplateText } from '../jinja/template';
import type { DatastoreReader } from '../parameters/datastore-reader';

/** For patterns that read the datastore in the oldest way, `{{ system.name }}`: an object that reads items as they are asked for. */
export function systemItems(pattern: string, reader: DatastoreReader): { readonly system?: object } {
  if (!pattern.includes('system') || !isTemplateText(pattern)) return {};
  return templateRoots(pattern).includes('system') ? { system: itemsOf(reader) } : {};
}

function itemsOf({ read }: DatastoreReader): object {
  const item = (name: string | symbol): string | undefined =>
    typeof name === 'string' ? (read({ scope: 'system', name, decrypt: false }) ?? '') : undefined;
  return new Proxy(
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
}
