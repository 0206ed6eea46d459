import { catalogue, Fault, fault, isFault, messageOf } from '@switchyard/base';

describe('fault', () => {
  it('has the status and the text of its catalogue entry', () => {
    const cause = new Error('why');
    const found = fault('execution.action-not-found', { ref: 'a.b' }, { cause, extra: { id: 1 } });
    expect(found).toBeInstanceOf(Fault);
    expect(found).toMatchObject({
      code: 'execution.action-not-found',
      status: 400,
      message: 'Action "a.b" cannot be found.',
      cause,
      extra: { id: 1 },
    });
    expect(isFault(found)).toBe(true);
    expect(isFault(cause)).toBe(false);
  });

  it('inserts values unchanged, even if they look like placeholders', () => {
    expect(fault('execution.illegal-move', { from: '{to}', to: '$&' }).message).toBe(
      'Failed updating execution. An execution in status "{to}" cannot become "$&".',
    );
  });
});

describe('the catalogue', () => {
  it.each(Object.entries(catalogue))(
    'has an HTTP error status, a text and a name that starts with its area for %s',
    (name, entry) => {
      expect(entry.status).toBeGreaterThanOrEqual(400);
      expect(entry.status).toBeLessThan(600);
      expect(entry.template.trim()).not.toBe('');
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*(\.[a-z0-9-]+)?$/);
    },
  );
});

it.each([
  [new Error('text'), 'text'],
  ['text', 'text'],
  [undefined, 'undefined'],
])('messageOf(%p) is %p', (thrown, text) => expect(messageOf(thrown)).toBe(text));
