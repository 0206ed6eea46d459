import { newId } from '@switchyard/base';
import { checkAlias, type ActionAliasRecord } from '@switchyard/model';
import { leakCheck, openTestPlatform, type TestPlatform } from '@switchyard/testkit/platform';

const later = leakCheck();
let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestPlatform();
  later(() => platform.close());
});

const alias = (pack: string, name: string, enabled = true): ActionAliasRecord => ({
  _id: newId(),
  ...checkAlias({ pack, name, enabled, action_ref: 'core.noop', formats: [name] }),
});

const refs = (aliases: readonly ActionAliasRecord[]) => aliases.map(({ ref }) => ref);

describe('action aliases', () => {
  it('are found by reference, which is unique', async () => {
    const { actionAliases } = platform.store;
    const record = await actionAliases.insert(alias('one', 'a'));
    expect(await actionAliases.byKey('one.a')).toEqual(record);
    await actionAliases.insert(alias('two', 'a'));
    await expect(actionAliases.insert(alias('one', 'a'))).rejects.toMatchObject({
      code: 'storage.duplicate',
      extra: { 'conflict-id': record._id },
    });
  });

  it('that are enabled are ordered by reference', async () => {
    const { actionAliases } = platform.store;
    for (const record of [alias('two', 'a'), alias('one', 'b'), alias('one', 'a'), alias('one', 'off', false)])
      await actionAliases.insert(record);
    expect(refs(await actionAliases.enabled())).toEqual(['one.a', 'one.b', 'two.a']);
  });

  it('are removed with their pack', async () => {
    const { actionAliases } = platform.store;
    for (const record of [alias('one', 'b'), alias('one', 'a', false), alias('two', 'a')])
      await actionAliases.insert(record);
    expect(refs(await actionAliases.removeOf('one'))).toEqual(['one.a', 'one.b']);
    expect(await actionAliases.removeOf('one')).toEqual([]);
    expect(refs(await actionAliases.list())).toEqual(['two.a']);
  });
});
