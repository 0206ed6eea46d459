import type { Status, StatusOrUnset } from './statuses';

/** For each event the statuses it changes and what they become; an event does nothing in a status it does not list. */
export type MachineTable = Readonly<Record<string, Readonly<Partial<Record<StatusOrUnset, Status>>>>>;

/** @returns the status after the event, or undefined when the event does nothing in this status */
export const nextStatus = (table: MachineTable, status: StatusOrUnset, event: string): Status | undefined =>
  Object.hasOwn(table, event) ? table[event]?.[status] : undefined;

/** The same result from each of these statuses. */
export const from = <S extends StatusOrUnset>(statuses: readonly S[], result: Status): Record<S, Status> =>
  Object.fromEntries(statuses.map((status) => [status, result])) as Record<S, Status>;
