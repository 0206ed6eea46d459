import { constants } from 'node:os';
import type { Exit } from '@switchyard/subprocess';

const SIGNAL_BITS = 0x7f;
const CODE_SHIFT = 8;
const CODE_BITS = 0xff;

/** Reads a status as wait(2) gives it. */
export function exitOf(status: number): Exit {
  const number = status & SIGNAL_BITS;
  if (number === 0) return { exitCode: (status >> CODE_SHIFT) & CODE_BITS, signal: null };
  const [name] = Object.entries(constants.signals).find(([, value]) => value === number) ?? ['SIGKILL'];
  return { exitCode: null, signal: name as NodeJS.Signals };
}
