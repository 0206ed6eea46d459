import { DEFAULT_MAX_PATTERN_LENGTH, KIB, MIB, defaultDataLimits as data } from '@switchyard/base';
import { int } from '../option';

/** MongoDB stores 180 levels, the embedded store 200. Records have values some levels down. */
const DEEPEST_DATA = 160;

/** What data may be at most, on every way into the system. */
export const limits = {
  max_depth: int(data.maxDepth, 'How many objects and arrays may lie in each other.', {
    minimum: 1,
    maximum: DEEPEST_DATA,
  }),
  max_members: int(data.maxMembers, 'Members of objects and elements of arrays, all together, of one value.', {
    minimum: 1,
  }),
  max_key_length: int(data.maxKeyLength, 'Longest key of an object, bytes.', { minimum: 1 }),
  max_string_length: int(data.maxStringLength, 'Longest text in a value, bytes.', { minimum: 1 }),
  expression_steps: int(
    5_000_000,
    'Steps that all expressions may take together: of a request, of a rule that looks at an event, of a task of a workflow.',
    { minimum: 1 },
  ),
  expression_ms: int(5_000, 'Time that they may work together, milliseconds.', { minimum: 1 }),
  max_pattern_length: int(
    DEFAULT_MAX_PATTERN_LENGTH,
    'Longest pattern of a criterion, format of an alias or field of a cron timer, characters.',
    { minimum: 1 },
  ),
  max_nesting: int(
    50,
    'How deep executions may be nested: the tasks of a workflow, and whatever an action requests with itself as the parent, are one deeper.',
    { minimum: 1 },
  ),
  max_body_bytes: int(16 * MIB, 'Largest body of a request.', { minimum: 1 }),
  max_token_body_bytes: int(4 * KIB, 'Largest body of a request for a token.', { minimum: 1 }),
  max_open_body_bytes: int(
    128 * MIB,
    'What the bodies of requests that are not answered yet may hold together, for each listener.',
    { minimum: 1 },
  ),
  max_open_body_bytes_per_address: int(64 * MIB, 'The same for the requests of one address, which may be a proxy.', {
    minimum: 1,
  }),
  max_connections: int(4096, 'Most connections to one listener.', { minimum: 1 }),
  max_connections_per_address: int(1024, 'Most connections of one address, which may be a proxy, to one listener.', {
    minimum: 1,
  }),
  request_timeout: int(120, 'Seconds in which a request has to arrive as a whole.', { minimum: 1 }),
  max_list_bytes: int(
    16 * MIB,
    'What large parts of records, such as results, may take together in one list; a part may take a quarter of that.',
    { minimum: 1 },
  ),
};
