import type { Config } from '@switchyard/config';
import { isTerminal, type Status } from '@switchyard/model';
import type { Listeners } from './listeners';

/**
 * Tells of a status that executions enter whether rules have to be told of it, by options and by whether any rule listens.
 * A status before the end may pass while another one is told of; the end makes up for it.
 */
export function toldStatuses(
  { enable, emit_when: emitWhen }: Config['action_sensor'],
  listeners: Pick<Listeners, 'mayBe'>,
): (status: Status) => boolean {
  const beforeTheEnd = emitWhen.some((status) => !isTerminal(status as Status));
  const isMeant = (status: Status) => emitWhen.includes(status) || (beforeTheEnd && isTerminal(status));
  return (status) => enable && isMeant(status) && listeners.mayBe();
}
