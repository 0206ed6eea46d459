import {
  DEFAULT_MAX_PATTERN_LENGTH,
  DEFAULT_MAX_RECORD_BYTES,
  KIB,
  MIB,
  defaultDataLimits as data,
} from '@switchyard/base';
import { intOption } from '../option';

/** MongoDB stores 180 levels and the embedded store 200; records hold values a few levels down. */
const DEEPEST_DATA = 160;

/** Limits on all data that enters the system. */
export const limits = {
  max_depth: intOption(data.maxDepth, 'Maximum nesting depth of objects and arrays.', {
    minimum: 1,
    maximum: DEEPEST_DATA,
  }),
  max_members: intOption(
    data.maxMembers,
    'Maximum number of object members and array elements of one value, in total.',
    {
      minimum: 1,
    },
  ),
  max_key_length: intOption(data.maxKeyLength, 'Longest key of an object, in bytes.', { minimum: 1 }),
  max_string_length: intOption(data.maxStringLength, 'Longest string in a value, in bytes.', { minimum: 1 }),
  expression_steps: intOption(
    5_000_000,
    'Maximum total number of steps of the expressions in a request, in the match of a rule against an event, or in a workflow task.',
    { minimum: 1 },
  ),
  expression_ms: intOption(5_000, 'Maximum total time for evaluating these expressions, in milliseconds.', {
    minimum: 1,
  }),
  max_pattern_length: intOption(
    DEFAULT_MAX_PATTERN_LENGTH,
    'Longest pattern in a rule criterion, format of an alias or field of a cron timer, in characters.',
    { minimum: 1 },
  ),
  max_nesting: intOption(
    50,
    'Maximum nesting depth of executions. Tasks are one level below their workflow, and executions that an action requests as its children are one level below that action.',
    { minimum: 1 },
  ),
  max_record_bytes: intOption(
    DEFAULT_MAX_RECORD_BYTES,
    'Maximum size of the parameters and the context of an execution together, and of the payload of an event, as JSON, in bytes.',
    { minimum: 1 },
  ),
  max_tree_size: intOption(
    1_000_000,
    'Maximum number of executions below one request: tasks of its workflow and of inner workflows, and executions that its actions request as children. The count is approximate.',
    { minimum: 1 },
  ),
  max_body_bytes: intOption(4 * MIB, 'Largest request body, in bytes.', { minimum: 1 }),
  max_token_body_bytes: intOption(4 * KIB, 'Largest body of a request for a token, in bytes.', { minimum: 1 }),
  max_open_body_bytes: intOption(
    128 * MIB,
    'Maximum total size of the bodies of unanswered requests to one listener, in bytes.',
    { minimum: 1 },
  ),
  max_open_body_bytes_per_address: intOption(
    64 * MIB,
    'Maximum total size of the bodies of unanswered requests from one address, which may be a proxy, in bytes.',
    {
      minimum: 1,
    },
  ),
  max_connections: intOption(4096, 'Maximum number of connections to one listener.', { minimum: 1 }),
  max_connections_per_address: intOption(
    1024,
    'Maximum number of connections from one address, which may be a proxy, to one listener.',
    {
      minimum: 1,
    },
  ),
  request_timeout: intOption(120, 'Maximum time for a complete request to arrive, in seconds.', { minimum: 1 }),
  max_list_bytes: intOption(
    16 * MIB,
    'Maximum total size of large parts of records, such as results, in one list, in bytes. One part may take up to a quarter of it.',
    { minimum: 1 },
  ),
};
