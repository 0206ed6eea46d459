/** JSON text that no value serializes to: extreme depth, unusual number notations, lone surrogates. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** Like JSON.stringify, but inserts raw texts unchanged. */
export function jsonText(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
