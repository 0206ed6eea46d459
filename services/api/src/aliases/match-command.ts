import { findMatch, type ActionAliasRecord, type FoundMatch } from '@switchyard/model';
import type { ApiDependencies } from '../api-dependencies';

/** The enabled alias that a command is for. @throws Fault `alias.no-match`, `alias.matches`, `alias.multiple-matches` */
export async function matchCommand(
  { store, logger }: Pick<ApiDependencies, 'store' | 'logger'>,
  command: string,
): Promise<FoundMatch<ActionAliasRecord>> {
  return findMatch(await store.actionAliases.enabled(), command, ({ ref }, format, { message }) =>
    logger.warn('A format of an alias was passed over.', { alias: ref, format, reason: message }),
  );
}
