import { isPlainObject, messageOf } from '@switchyard/base';

/**
 * The JSON of a response. What cannot be written, such as a record that was stored before there were limits on depth, is
 * left out with a note in its place: one bad record does not take the others with it.
 */
export function responseJson(body: unknown, onUnreadable: (reason: string) => void): string {
  return textOf(body, onUnreadable, Array.isArray(body) ? 2 : 1);
}

/** @param levels how far it looks for the part that cannot be written: down to a member of a record */
function textOf(value: unknown, onUnreadable: (reason: string) => void, levels: number): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (levels > 0 && Array.isArray(value)) {
      return `[${value.map((item) => textOf(item, onUnreadable, levels - 1)).join(',')}]`;
    }
    if (levels > 0 && isPlainObject(value)) return objectText(value, onUnreadable, levels - 1);
    const reason = error instanceof RangeError ? 'too large or nested too deep to be shown' : messageOf(error);
    onUnreadable(reason);
    return JSON.stringify({ unreadable: reason });
  }
}

function objectText(value: Record<string, unknown>, onUnreadable: (reason: string) => void, levels: number): string {
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}:${textOf(member, onUnreadable, levels)}`);
  return `{${members.join(',')}}`;
}
