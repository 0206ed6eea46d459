/** Longer texts are cut. */
const LONGEST_TEXT = 2048;
/** What a value costs besides its characters; it also bounds how deep values are followed. */
const VALUE_COST = 8;
const LEFT_OUT = '…';

/**
 * A copy of a JSON value for people to read, of about `most` characters at most: long texts are cut, and what comes
 * after the room is used up is left out. Members keep their names, so that a log can still mask them by name.
 */
export const shortened = (value: unknown, most: number): unknown => shorten(value, { left: most });

interface Room {
  left: number;
}

function shorten(value: unknown, room: Room): unknown {
  room.left -= VALUE_COST;
  if (typeof value === 'string') return shortText(value, room);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return shortList(value, room);
  const members = Object.entries(value);
  const kept: [string, unknown][] = [];
  for (const [name, member] of members) {
    if (room.left < name.length) break;
    room.left -= name.length;
    kept.push([name, shorten(member, room)]);
  }
  const missing = members.length - kept.length;
  return Object.fromEntries(missing === 0 ? kept : [...kept, [LEFT_OUT, `${missing} more`]]);
}

function shortList(items: readonly unknown[], room: Room): unknown[] {
  const kept: unknown[] = [];
  while (kept.length < items.length && room.left > 0) kept.push(shorten(items[kept.length], room));
  const missing = items.length - kept.length;
  return missing === 0 ? kept : [...kept, `${LEFT_OUT} ${missing} more`];
}

function shortText(text: string, room: Room): string {
  const most = Math.max(0, Math.min(LONGEST_TEXT, room.left));
  room.left -= Math.min(text.length, most);
  return text.length <= most ? text : `${text.slice(0, most)}${LEFT_OUT} (${text.length} characters)`;
}
