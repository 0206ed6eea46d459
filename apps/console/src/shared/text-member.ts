/** A member of a free-form object as a text; empty if it is something else. */
export function textMember(record: Readonly<Record<string, unknown>> | undefined, ...names: string[]): string {
  const found = names.map((name) => record?.[name]).find((value) => typeof value === 'string');
  return found ?? '';
}
