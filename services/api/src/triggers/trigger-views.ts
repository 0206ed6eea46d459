import { microsToIso } from '@switchyard/base';
import type { TriggerInstanceRecord, TriggerRecord, TriggerTypeRecord } from '@switchyard/model';
import { attributeNames, triggerAnswer, triggerInstanceAnswer, triggerTypeAnswer } from '@switchyard/model/resources';

type View = Record<string, unknown>;

export const TRIGGER_TYPE_ATTRIBUTES = attributeNames(triggerTypeAnswer);

/** A type without a file has no `metadata_file`, as clients expect. */
export const triggerTypeView = ({ _id, metadata_file: file, ...shown }: TriggerTypeRecord): View => ({
  id: _id,
  ...shown,
  ...(file ? { metadata_file: file } : {}),
});

export const TRIGGER_ATTRIBUTES = attributeNames(triggerAnswer);

export const triggerView = ({ _id, parameters_hash: _hash, ...shown }: TriggerRecord): View => ({ id: _id, ...shown });

export const TRIGGER_INSTANCE_ATTRIBUTES = attributeNames(triggerInstanceAnswer);

/** @param record may lack the fields of attributes that were not requested */
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
