import { fault } from '@switchyard/base';

/** `<pack>.<name>`, split at the first dot: names may contain further dots, packs may not. */
export interface Reference {
  readonly pack: string;
  readonly name: string;
}

/** @returns undefined if the text has no dot, or nothing before or after it */
export function parseReference(text: string): Reference | undefined {
  const dot = text.indexOf('.');
  if (dot < 1 || dot === text.length - 1) return undefined;
  return { pack: text.slice(0, dot), name: text.slice(dot + 1) };
}

export const toReference = (pack: string, name: string): string => `${pack}.${name}`;

/**
 * Checks that a pack and a name, as given by a client or a file, can be told apart in a reference.
 * @throws Fault `resource.reference`, `resource.pack-dot`
 */
export function checkReferenceParts(pack: string | undefined, name: string | undefined): void {
  if (!pack || !name) {
    const given = { pack: pack ?? 'None', name: name ?? 'None' };
    throw fault('resource.reference', given, { extra: { field: pack ? 'name' : 'pack' } });
  }
  if (pack.includes('.')) throw fault('resource.pack-dot', {}, { extra: { field: 'pack' } });
}

/** `<type>:<part>:<part>`: the name of a resource in permissions and traces. */
export const toUid = (type: string, ...parts: string[]): string => [type, ...parts].join(':');

/** The uid of a resource that has a reference: `action:core:local` for `core.local`. Other texts are taken as names. */
export function uidOfReference(type: string, reference: string): string {
  const parsed = parseReference(reference);
  return parsed ? toUid(type, parsed.pack, parsed.name) : toUid(type, reference);
}

/** Packs that only the product itself may change. */
export const SYSTEM_PACKS: readonly string[] = ['core', 'packs', 'linux', 'chatops'];
