import { isFault } from '@switchyard/base';

/** Asks something of an execution that may have ended or changed meanwhile: then it tells of that by itself. */
export async function tolerant(ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!isFault(error) || error.status >= 500) throw error;
  }
}
