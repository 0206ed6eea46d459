import { refuseSchema } from './schema-site';
import type { Schema } from './violation';

/** The subschema of a reference such as `#/definitions/name`. Never fetches anything outside the schema. */
export function resolvePointer(root: Schema, reference: string): unknown {
  const own = typeof root.id === 'string' && reference.startsWith(root.id.replace(/#$/, '') + '#');
  const fragment = own ? reference.slice(reference.indexOf('#')) : reference;
  if (!/^#(\/|$)/.test(fragment)) refuseSchema([reference], 'only references inside the schema are supported');
  let found: unknown = root;
  for (const step of fragment.slice(1).split('/').slice(1)) found = member(found, unescape(step), reference);
  return found;
}

function member(value: unknown, step: string, reference: string): unknown {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, step)) return (value as Schema)[step];
  return refuseSchema([reference], 'the reference leads nowhere');
}

function unescape(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}
