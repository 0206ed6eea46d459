/** Messages shared by texts, lists and objects. */
export const tooShort = (limit: number): string => (limit === 1 ? 'should be non-empty' : 'is too short');
export const tooLong = (limit: number): string => (limit === 0 ? 'is expected to be empty' : 'is too long');
