import { microsToIso } from '@switchyard/base';
import type { TriggerInstanceRecord, TriggerRecord, TriggerTypeRecord } from '@switchyard/model';
import { Type } from '@sinclair/typebox';

type View = Record<string, unknown>;

export const triggerTypeSchema = Type.Object({ id: Type.String(), ref: Type.String() });
export const triggerSchema = Type.Object({ id: Type.String(), ref: Type.String(), type: Type.String() });
export const triggerInstanceSchema = Type.Object({ id: Type.String() });

export const TRIGGER_TYPE_ATTRIBUTES: readonly string[] = [
  'id',
  'ref',
  'uid',
  'name',
  'pack',
  'description',
  'payload_schema',
  'parameters_schema',
  'tags',
  'metadata_file',
];

/** A type that has no file has no `metadata_file`, as clients know it. */
export const triggerTypeView = ({ _id, metadata_file: file, ...shown }: TriggerTypeRecord): View => ({
  id: _id,
  ...shown,
  ...(file ? { metadata_file: file } : {}),
});

export const TRIGGER_ATTRIBUTES: readonly string[] = [
  'id',
  'ref',
  'uid',
  'name',
  'pack',
  'type',
  'parameters',
  'description',
];

export const triggerView = ({ _id, parameters_hash: _hash, ...shown }: TriggerRecord): View => ({ id: _id, ...shown });

export const TRIGGER_INSTANCE_ATTRIBUTES: readonly string[] = [
  'id',
  'trigger',
  'payload',
  'occurrence_time',
  'status',
  'outcome',
];

/** @param record may lack the fields of attributes that nobody wants */
export function triggerInstanceView({
  _id,
  trigger,
  payload,
  occurrence_time: time,
  status,
  outcome,
}: Partial<TriggerInstanceRecord> & Pick<TriggerInstanceRecord, '_id'>): View {
  return {
    id: _id,
    ...(trigger === undefined ? {} : { trigger }),
    ...(payload === undefined ? {} : { payload }),
    ...(time === undefined ? {} : { occurrence_time: microsToIso(time) }),
    ...(status === undefined ? {} : { status }),
    ...(outcome === undefined ? {} : { outcome }),
  };
}
