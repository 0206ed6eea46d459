import { bulkShare, bulkSharesFrom, childShare, interactiveShare, shareParts, sharesEnd } from '../../src';

const USERS = ['ada', 'ada!', 'ada b', 'žofie', '', '\ud800', '%', 'a'.repeat(1000)];

describe('shares', () => {
  it.each(USERS)('of %j are adjacent, with those of workflows last', (user) => {
    const [direct, one, two] = [interactiveShare(user), bulkShare(user, '1'), bulkShare(user, '2')];
    const { owner } = shareParts(direct);
    expect([bulkSharesFrom(owner), sharesEnd(owner), one, direct, two].sort()).toEqual([
      ...[direct, bulkSharesFrom(owner), one, two, sharesEnd(owner)],
    ]);
    expect(shareParts(two)).toEqual({ owner, root: '2' });
    expect(direct.length).toBeLessThan(256);
  });

  it('of other users are not in between', () => {
    const all = USERS.flatMap((user) => [interactiveShare(user), bulkShare(user, 'x')]).sort();
    const owners = all.map((share) => shareParts(share).owner);
    expect(owners.filter((owner, i) => owner !== owners[i - 1])).toHaveLength(USERS.length);
  });

  it('of a child execution equals that of the tree', () => {
    const top = { _id: 'top', share: interactiveShare('ada') };
    const child = { _id: 'child', share: childShare('ada', top) };
    expect(child.share).toBe(bulkShare('ada', 'top'));
    expect(childShare('ada', child)).toBe(bulkShare('ada', 'top'));
  });
});
