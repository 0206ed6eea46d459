/** JSON that no value stands for: as deep as nothing else could be, numbers as nobody writes them, halves of pairs. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** Like JSON.stringify, with raw texts where they stand. */
export function jsonText(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
