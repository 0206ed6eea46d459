import { availableParallelism, loadavg } from 'node:os';

/** A system on a machine with nothing else to do recovers from each fault within this time. */
const RECOVERY_MS = 10_000;

/** The time that a system has for that on this machine now: more if programs wait for its processors. */
export const recoveryLimitMs = (): number => RECOVERY_MS * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
