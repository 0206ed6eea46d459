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

/** `<type>:<part>:<part>`: the name of a resource in permissions and traces. */
export const toUid = (type: string, ...parts: string[]): string => [type, ...parts].join(':');

/** The uid of a resource that has a reference: `action:core:local` for `core.local`. Other texts are taken as names. */
export function uidOfReference(type: string, reference: string): string {
  const parsed = parseReference(reference);
  return parsed ? toUid(type, parsed.pack, parsed.name) : toUid(type, reference);
}

/** Packs that only the product itself may change. */
export const SYSTEM_PACKS: readonly string[] = ['core', 'packs', 'linux', 'chatops'];
