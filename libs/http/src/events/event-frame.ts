import type { ServerSentEvent } from './event-sink';

/** One frame of server-sent events. A text with several lines becomes several data lines, as the standard has it. */
export function eventFrame({ event, data, id }: ServerSentEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return [
    ...(event === undefined ? [] : [`event: ${oneLine(event)}`]),
    ...(id === undefined ? [] : [`id: ${oneLine(id)}`]),
    ...text.split(/\r\n|\r|\n/).map((line) => `data: ${line}`),
    '\n',
  ].join('\n');
}

const oneLine = (text: string): string => text.replace(/[\r\n]/g, ' ');
