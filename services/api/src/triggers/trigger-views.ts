import { microsToIso } from '@switchyard/base';
import type { TriggerInstanceRecord, TriggerRecord, TriggerTypeRecord } from '@switchyard/model';

type View = Record<string, unknown>;

/** A type without a file has no `metadata_file`, as clients expect. */
export const triggerTypeView = ({ _id, metadata_file: file, ...shown }: TriggerTypeRecord): View => ({
  id: _id,
  ...shown,
  ...(file ? { metadata_file: file } : {}),
});

export const triggerView = ({ _id, parameters_hash: _hash, ...shown }: TriggerRecord): View => ({ id: _id, ...shown });

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
