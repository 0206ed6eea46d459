import { networkReason } from '@switchyard/base';

const failed = (message: string, rest: object = {}): Error => Object.assign(new Error(message), rest);
const reasons = { ECONNREFUSED: 'refused' };

it.each<[string, unknown, string]>([
  ['a known code', failed('fetch failed', { cause: failed('connect', { code: 'ECONNREFUSED' }) }), 'refused'],
  [
    'the first of several attempts',
    failed('fetch failed', { cause: failed('', { errors: [failed('connect', { code: 'ECONNREFUSED' })] }) }),
    'refused',
  ],
  [
    'the deepest cause, with its code',
    failed('fetch failed', { cause: failed('odd', { code: 'EODD' }) }),
    'odd (EODD)',
  ],
  ['a message that has its code', failed('EODD happened', { code: 'EODD' }), 'EODD happened'],
  ['something that is not an error', undefined, 'unknown reason'],
])('the reason of a failed request is %s', (_, thrown, reason) => expect(networkReason(thrown, reasons)).toBe(reason));
