import { checkAlias, matchAlias } from '../../src';

const go = { name: 'go', pack: 'demo', action_ref: 'core.noop', formats: ['go {{where}}'] };

describe('an alias', () => {
  it('gets defaults for missing fields, and its reference', () => {
    expect(checkAlias({ ...go, id: 'x', ref: 'a.b', uid: 'y', ack: null, description: null })).toEqual({
      ...go,
      ref: 'demo.go',
      uid: 'action_alias:demo:go',
      enabled: true,
      ack: {},
      result: {},
      extra: {},
      immutable_parameters: {},
      metadata_file: '',
    });
  });

  it('may leave out any part of a format, and say that it does not match several times with null', () => {
    const formats = [{ match_multiple: null }, { representation: ['go'] }];
    expect(checkAlias({ ...go, formats }).formats).toEqual(formats);
    expect(matchAlias(formats, 'go')).toEqual([{ display: undefined, representation: 'go', parameters: [{}] }]);
  });

  it.each([
    [{ formats: [{ display: null }] }, "None is not of type 'string'"],
    [{ formats: [{ representation: null }] }, "None is not of type 'array'"],
    [{ formats: [null] }, 'None is not valid under any of the given schemas'],
    [{ ref: 5 }, "5 is not of type 'string', 'null'"],
  ])('with %j is refused', (part, text) => {
    expect(() => checkAlias({ ...go, ...part })).toThrow(text);
  });

  it('keeps fields for chat adapters', () => {
    const more = {
      ack: { enabled: false, append_url: false, extra: { a: 1 }, slack: 'x' },
      result: { format: 'done', extra: {} },
      extra: { any: ['thing'] },
      immutable_parameters: { sudo: false },
    };
    expect(checkAlias({ ...go, ...more })).toMatchObject(more);
  });

  it.each<[string, unknown, string]>([
    ['that is a list', [1], "'********' of type 'array' is not of type 'object'"],
    ['without a pack', { ...go, pack: undefined }, "'pack' is a required property"],
    ['without a name', { ...go, name: undefined }, "'name' is a required property"],
    ['of an empty pack', { ...go, pack: '' }, 'Both pack and name needed for building ref. pack=, name=go'],
    ['of a pack with a dot', { ...go, pack: 'a.b' }, 'Pack name should not contain "."'],
    ['without an action', { ...go, action_ref: undefined }, "'action_ref' is a required property"],
    ['without formats', { ...go, formats: undefined }, "'formats' is a required property"],
    ['with a text for formats', { ...go, formats: 'x' }, "'x' is not of type 'array'"],
    ['with a number for a format', { ...go, formats: [5] }, '5 is not valid under any of the given schemas'],
    ['with a text for patterns', { ...go, formats: [{ representation: 'x' }] }, "'x' is not of type 'array'"],
    ['with an invalid pattern', { ...go, formats: [{ representation: ['('] }] }, 'Invalid alias format "("'],
    ['with a text for a flag', { ...go, ack: { enabled: 'yes' } }, "'yes' is not of type 'boolean', 'null'"],
    ['with an unknown field', { ...go, colour: 1 }, "Additional properties are not allowed ('colour' was unexpected)"],
  ])('%s is rejected', (_, given, text) => expect(() => checkAlias(given)).toThrow(text));
});
