import type { Id } from '@switchyard/base';

/*
 * Request keys of trigger instances that tell of an execution: its status, a notification, what its action has announced. They begin
 * with the id of the execution, so that all of them are found by it, and none has to be noted in its trace.
 */

/** @param what tells the instances of one execution apart */
export const executionKey = (execution: Id, ...what: readonly (string | number)[]): string =>
  [execution, ...what].join(':');

/** The condition that keys of an execution fulfil, and no others. */
export const keysOfExecution = (execution: Id): { $gte: string; $lt: string } => ({
  $gte: `${execution}:`,
  $lt: `${execution};`,
});

/** The execution that an instance with this key tells of. @returns undefined for other keys, and without one */
export const executionOfKey = (key = ''): Id | undefined => /^([0-9a-f]{24}):/.exec(key)?.[1];
