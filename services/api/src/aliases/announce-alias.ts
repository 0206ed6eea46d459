import { recordChange, type RecordChangeMessage } from '@switchyard/messaging';
import type { ActionAliasRecord } from '@switchyard/model';
import type { ApiDependencies } from '../api-dependencies';

/** Announces a changed alias to chat bots, through the stream. They also poll for changes. */
export const announceAlias = async (
  { bus, logger }: Pick<ApiDependencies, 'bus' | 'logger'>,
  change: RecordChangeMessage['change'],
  { _id: id, ref }: ActionAliasRecord,
): Promise<void> =>
  bus
    .publisher()
    .publish(recordChange({ record: 'actionalias', change, id, ref }))
    .catch((error: unknown) => logger.warn('Failed to announce a change of an alias.', { alias: ref, error }));
