/** One event of a stream, as sent. */
export interface RawEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * Splits text that comes in pieces into server-sent events, by the rules of the HTML standard; `id` and `retry` are not
 * used by these services. Comments and keep-alive lines yield nothing.
 */
export function createEventParser(): (piece: string) => RawEvent[] {
  let rest = '';
  let event = '';
  let data: string[] = [];
  const takeLine = (line: string): RawEvent[] => {
    if (line === '') {
      const ready = data.length > 0 ? [{ event: event || 'message', data: data.join('\n') }] : [];
      event = '';
      data = [];
      return ready;
    }
    const [, field, value = ''] = /^([^:]*)(?::[ ]?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
    return [];
  };
  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    return lines.flatMap(takeLine);
  };
}
