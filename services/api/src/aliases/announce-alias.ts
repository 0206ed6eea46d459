import { recordChange, type RecordChangeMessage } from '@switchyard/messaging';
import type { ActionAliasRecord } from '@switchyard/model';
import type { ApiDependencies } from '../api-dependencies';

/** Tells chat bots, by way of the stream, that an alias has changed. They also find out by themselves. */
export const announceAlias = async (
  { bus, logger }: Pick<ApiDependencies, 'bus' | 'logger'>,
  change: RecordChangeMessage['change'],
  { _id: id, ref }: ActionAliasRecord,
): Promise<void> =>
  bus
    .publisher()
    .publish(recordChange({ record: 'actionalias', change, id, ref }))
    .catch((error: unknown) => logger.warn('Nobody could be told of a change of an alias.', { alias: ref, error }));
