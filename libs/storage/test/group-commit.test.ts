import { deferred, type Deferred } from '@switchyard/base';
import { groupCommit, type GroupedOutcome } from '../src/group-commit';

interface Write {
  readonly _id: string;
}

interface Call {
  readonly ids: string;
  readonly response: Deferred<readonly GroupedOutcome<string>[]>;
}

const write = (_id: string): Write => ({ _id });
const written = (_id: string): GroupedOutcome<string> => ({ value: _id });

describe('a group commit', () => {
  /** The groups that were written, with the response from the test. */
  let calls: Call[];
  let alone: string[];
  let add: (one: Write) => Promise<string>;

  beforeEach(() => {
    [calls, alone] = [[], []];
    add = groupCommit<Write, string>({
      fewest: 2,
      write({ _id }) {
        alone.push(_id);
        return _id.startsWith('bad') ? Promise.reject(new Error(_id)) : Promise.resolve(_id);
      },
      writeTogether(several) {
        const call = { ids: several.map(({ _id }) => _id).join(' '), response: deferred<GroupedOutcome<string>[]>() };
        calls.push(call);
        return call.response.promise;
      },
    });
  });

  const addAll = (...ids: string[]) => ids.map((id) => add(write(id)));
  const turn = () => new Promise(setImmediate);
  const answer = async (...outcomes: GroupedOutcome<string>[]) => {
    calls.at(-1)?.response.resolve(outcomes);
    await turn();
    await turn();
  };

  it('writes a single write immediately', async () => {
    await expect(add(write('a'))).resolves.toBe('a');
    expect([alone, calls]).toEqual([['a'], []]);
  });

  it('writes together what is added at the same time', async () => {
    const results = addAll('a', 'b', 'c');
    await turn();
    await answer(written('1'), written('2'), written('3'));
    expect(await Promise.all(results)).toEqual(['1', '2', '3']);
    expect([alone, calls.map(({ ids }) => ids)]).toEqual([[], ['a b c']]);
  });

  it('lets writes wait for the group under way', async () => {
    const first = addAll('a', 'b');
    await turn();
    const second = [...addAll('c'), ...addAll('d')];
    await turn();
    expect(calls.map(({ ids }) => ids)).toEqual(['a b']);
    await answer(written('a'), written('b'));
    await answer(written('c'), written('d'));
    expect(await Promise.all([...first, ...second])).toEqual(['a', 'b', 'c', 'd']);
    expect(calls.map(({ ids }) => ids)).toEqual(['a b', 'c d']);
  });

  it('does not let them wait for a group that hangs', async () => {
    void addAll('a', 'b');
    await turn();
    await expect(add(write('c'))).resolves.toBe('c');
    expect(calls).toHaveLength(1);
  });

  it('keeps writes to the same record apart', async () => {
    const results = addAll('a', 'b', 'a');
    await turn();
    expect(calls.map(({ ids }) => ids)).toEqual(['a b']);
    await answer(written('1'), written('2'));
    expect(await Promise.all(results)).toEqual(['1', '2', 'a']);
    expect(alone).toEqual(['a']);
  });

  it('gives each caller its own result and error', async () => {
    const settled = Promise.allSettled(addAll('a', 'bad b', 'c'));
    await turn();
    await answer(written('1'), 'alone', 'alone');
    expect(await settled).toMatchObject([{ value: '1' }, { reason: { message: 'bad b' } }, { value: 'c' }]);
  });

  it('rejects all writes of a call that has failed, and continues', async () => {
    const results = addAll('a', 'b');
    await turn();
    calls[0]?.response.reject(new Error('gone'));
    expect(await Promise.allSettled(results)).toMatchObject([
      { reason: { message: 'gone' } },
      { reason: { message: 'gone' } },
    ]);
    await expect(add(write('c'))).resolves.toBe('c');
  });

  it('limits the size of a group', async () => {
    void addAll(...Array.from({ length: 150 }, (_, index) => String(index)));
    await turn();
    await answer(...Array.from({ length: 100 }, (_, index) => written(String(index))));
    expect(calls.map(({ ids }) => ids.split(' ').length)).toEqual([100, 50]);
    await answer(...Array.from({ length: 50 }, (_, index) => written(String(index))));
  });
});
