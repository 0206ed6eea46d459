import { idFirst } from '../src/id-first';

describe('conditions for records with known ids', () => {
  it.each([
    [
      { _id: 'a', status: 'running' },
      { _id: 'a', $and: [{ $and: [{ status: 'running' }] }] },
    ],
    [
      { _id: { $in: ['a', 'b'] }, revision: 1, due: { $size: 0 } },
      { _id: { $in: ['a', 'b'] }, $and: [{ $and: [{ revision: 1, due: { $size: 0 } }] }] },
    ],
  ])('are put behind the ids: %j', (filter, expected) => {
    expect(idFirst(filter)).toEqual(expected);
  });

  it.each([{ _id: 'a' }, {}, { status: 'running' }, { _id: { $gt: 'a' }, status: 'running' }])(
    'stay as they are without others, or without known ids: %j',
    (filter) => {
      expect(idFirst(filter)).toBe(filter);
    },
  );
});
