import { decode, encode, executionStatus, messageKinds, POINTER_BYTES, triggerInstance } from '@switchyard/messaging';

const good = executionStatus({ id: 'a1', ref: 'core.local', status: 'scheduled', revision: 3, trace: 't' });
const wire = (difference: object) => Buffer.from(JSON.stringify({ ...good.body, ...difference }));

describe('encode and decode', () => {
  it('are inverse to each other', () => {
    expect(decode(encode(good), good.exchange)).toEqual({ outcome: 'message', message: good.body });
  });

  it('keep members that a newer program adds', () => {
    expect(decode(wire({ added: 1 }), 'liveaction.status')).toMatchObject({
      outcome: 'message',
      message: { added: 1 },
    });
  });

  it.each([
    ['text', Buffer.from('hello'), 'malformed', '"v" and "type"'],
    ['a list', Buffer.from('[1]'), 'malformed', '"v" and "type"'],
    ['nothing', Buffer.alloc(0), 'malformed', '"v" and "type"'],
    ['a version that is not a number', wire({ v: '1' }), 'malformed', '"v" and "type"'],
    ['version 2', wire({ v: 2 }), 'unknown', 'version 2 of "execution-status"'],
    ['version 0', wire({ v: 0 }), 'unknown', 'version 0 of "execution-status"'],
    ['another type', wire({ type: 'new-thing' }), 'unknown', 'type "new-thing"'],
    ['a missing field', wire({ id: undefined }), 'malformed', '/id: Expected required property'],
    ['a wrong field', wire({ revision: -1 }), 'malformed', '/revision: Expected integer to be greater or equal to 0'],
  ])('decode rejects %s', (_, content, outcome, reason) => {
    expect(decode(content, 'liveaction.status')).toEqual({ outcome, reason: expect.stringContaining(reason) });
  });

  it('check thousands of messages in the same way', () => {
    const wrong = { ...good, body: { ...good.body, revision: -1 } };
    for (let count = 0; count < 3000; count++) decode(encode(good), good.exchange);
    expect(decode(encode(good), good.exchange)).toEqual({ outcome: 'message', message: good.body });
    expect(() => encode(wrong)).toThrow('/revision: Expected integer to be greater or equal to 0');
  });

  it('reject a message on the wrong exchange', () => {
    expect(decode(encode(good), 'execution')).toMatchObject({ outcome: 'malformed' });
    expect(() => encode({ ...good, exchange: 'execution' })).toThrow('unknown on the exchange execution');
  });

  it.each([
    ['a field that is wrong', triggerInstance({ id: '', ref: 'core.timer' }), 'messaging.invalid-message'],
    ['a routing key that AMQP cannot carry', { ...good, routingKey: 'x'.repeat(256) }, 'messaging.invalid-message'],
    ['more than 4 kB', { ...good, body: { ...good.body, x: 'x'.repeat(POINTER_BYTES) } }, 'messaging.too-large'],
  ])('encode rejects %s', (_, message, code) => {
    expect(() => encode(message)).toThrow(expect.objectContaining({ code }));
  });
});

describe('the kinds of messages', () => {
  it('are pointers, except announcements', () => {
    const large = [...messageKinds.values()].filter(({ maxBytes }) => maxBytes > POINTER_BYTES);
    expect(large.map(({ type }) => type)).toEqual(['announcement']);
  });

  it('have their own name as type', () => {
    for (const [type, { schema }] of messageKinds) expect(schema.properties['type']).toMatchObject({ const: type });
  });
});
