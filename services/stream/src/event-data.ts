import { isLargeJson, jsonBytes } from '@switchyard/base';

const encodings = new WeakMap<object, Promise<Buffer>>();

/**
 * The data of an event as it is sent: a large value as JSON that was written in slices, once for all readers of the same object.
 * @param body must not change afterwards
 */
export async function eventData(body: object): Promise<object> {
  if (!isLargeJson(body)) return body;
  const encoding = encodings.get(body) ?? jsonBytes(body);
  encodings.set(body, encoding);
  return encoding;
}
