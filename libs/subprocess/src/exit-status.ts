import { constants } from 'node:os';

/** The end of a process. */
export interface Exit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

const SIGNAL_BITS = 0x7f;
const CODE_SHIFT = 8;
const CODE_BITS = 0xff;

/** Decodes a status of wait(2). */
export function exitOfStatus(status: number): Exit {
  const number = status & SIGNAL_BITS;
  if (number === 0) return { exitCode: (status >> CODE_SHIFT) & CODE_BITS, signal: null };
  const [name] = Object.entries(constants.signals).find(([, value]) => value === number) ?? ['SIGKILL'];
  return { exitCode: null, signal: name as NodeJS.Signals };
}
