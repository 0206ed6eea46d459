import { isDeepStrictEqual } from 'node:util';

/** Whether two records hold the same, however their store built the objects and ordered their keys. */
export const sameRecord = (left: object, right: object): boolean => isDeepStrictEqual(plain(left), plain(right));

const plain = (record: object): unknown => JSON.parse(JSON.stringify(record));
