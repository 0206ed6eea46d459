import { parseReference, toReference, toUid } from '@switchyard/model';

describe('a reference', () => {
  it.each([
    ['core.local', { pack: 'core', name: 'local' }],
    ['core.st2.generic.notifytrigger', { pack: 'core', name: 'st2.generic.notifytrigger' }],
  ])('%s has a pack and a name', (text, parts) => {
    expect(parseReference(text)).toEqual(parts);
    expect(toReference(parts.pack, parts.name)).toBe(text);
  });

  it.each(['', 'core', '.local', 'core.'])('%p is not a reference', (text) =>
    expect(parseReference(text)).toBeUndefined(),
  );
});

it('a uid starts with the resource type', () => expect(toUid('action', 'core', 'local')).toBe('action:core:local'));
