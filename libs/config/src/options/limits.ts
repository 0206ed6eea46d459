import { MIB, defaultDataLimits as data } from '@switchyard/base';
import { int } from '../option';

/** What data may be at most, on every way into the system. */
export const limits = {
  max_depth: int(data.maxDepth, 'How many objects and arrays may lie in each other.', { minimum: 1 }),
  max_members: int(data.maxMembers, 'Members of objects and elements of arrays, all together, of one value.', {
    minimum: 1,
  }),
  max_key_length: int(data.maxKeyLength, 'Longest key of an object, bytes.', { minimum: 1 }),
  max_string_length: int(data.maxStringLength, 'Longest text in a value, bytes.', { minimum: 1 }),
  max_body_bytes: int(16 * MIB, 'Largest body of a request.', { minimum: 1 }),
};
