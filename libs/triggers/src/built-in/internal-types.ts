import {
  ACTION_TRIGGER,
  FILE_WRITTEN,
  INQUIRY_TRIGGER,
  KEY_CREATE,
  KEY_DELETE,
  KEY_UPDATE,
  KEY_VALUE_CHANGE,
  NOTIFY_TRIGGER,
  SENSOR_EXIT,
  SENSOR_SPAWN,
} from '../names';
import type { BuiltInType } from './built-in-type';

/** A payload with these members, of whatever type. */
const holding = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, {}])),
});

const needed = (description: string) => ({ type: 'string', description, required: true });

const ofSensor = (last: Record<string, unknown>) => ({
  type: 'object',
  properties: {
    ref: { type: 'string', description: 'Reference of the sensor' },
    id: { type: 'string', description: 'Name of its class' },
    timestamp: { type: 'integer', description: 'Seconds since the epoch' },
    pid: { type: 'integer' },
    ...last,
  },
});

/** What the services of the product tell about themselves. */
export const internalTypes: readonly BuiltInType[] = [
  {
    ref: ACTION_TRIGGER,
    description: 'An execution has ended.',
    payload_schema: holding(
      'execution_id',
      'status',
      'start_timestamp',
      'action_name',
      'action_ref',
      'runner_ref',
      'parameters',
      'result',
    ),
  },
  {
    ref: NOTIFY_TRIGGER,
    description: 'Somebody is to be notified of an execution.',
    payload_schema: holding(
      'execution_id',
      'status',
      'start_timestamp',
      'end_timestamp',
      'action_ref',
      'runner_ref',
      'channel',
      'route',
      'message',
      'data',
    ),
  },
  {
    ref: FILE_WRITTEN,
    description: 'A file that came with an action was written.',
    payload_schema: holding('ref', 'file_path', 'host_info'),
  },
  {
    ref: INQUIRY_TRIGGER,
    description: 'An execution waits for an answer.',
    payload_schema: {
      type: 'object',
      properties: {
        id: needed('Id of the execution that waits'),
        route: needed('Where the question is to be asked'),
      },
      additionalProperties: false,
    },
  },
  {
    ref: SENSOR_SPAWN,
    description: 'A sensor process was started.',
    payload_schema: ofSensor({ cmd: { type: 'string', description: 'Command line' } }),
  },
  {
    ref: SENSOR_EXIT,
    description: 'A sensor process has ended by itself.',
    payload_schema: ofSensor({ exit_code: { type: 'integer' } }),
  },
  { ref: KEY_CREATE, description: 'A datastore item was created.', payload_schema: holding('object') },
  { ref: KEY_UPDATE, description: 'A datastore item was written.', payload_schema: holding('object') },
  {
    ref: KEY_VALUE_CHANGE,
    description: 'The value of a datastore item has changed.',
    payload_schema: holding('old_object', 'new_object'),
  },
  { ref: KEY_DELETE, description: 'A datastore item was deleted.', payload_schema: holding('object') },
];
