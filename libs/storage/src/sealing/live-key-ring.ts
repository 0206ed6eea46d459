import { readFileSync, statSync } from 'node:fs';
import { messageOf, SECOND_MS } from '@switchyard/base';
import { parseKeyRing, type KeyRing } from './key-ring';

/** The keys of a file that may change while the process runs. */
export interface KeySource {
  /** The keys in the file at most a second ago. */
  ring(): KeyRing;
  /** The current keys in the file. */
  reread(): KeyRing;
}

export interface LiveKeyRingOptions {
  readonly path: string;
  /** The content of the file at the start. */
  readonly first: KeyRing;
  /** Called once for each reason why the file can no longer be used; the known keys stay in use. */
  readonly onProblem: (reason: string) => void;
  readonly monotonicMs: () => number;
}

const LOOK_MS = SECOND_MS;

/**
 * Follows changes of a key file. Checks synchronously, because sealing is synchronous: with one `stat` in each second
 * in which keys are used. Keys that were removed from the file still open values that this process read before, but
 * seal nothing.
 */
export function liveKeyRing({ path, first, onProblem, monotonicMs }: LiveKeyRingOptions): KeySource {
  let known = first;
  let version: string | undefined;
  let lookedMs = -Infinity;
  let told: string | undefined;
  const reread = (): KeyRing => {
    lookedMs = monotonicMs();
    try {
      const found = versionOf(path);
      if (found === version) return known;
      const { current, keys } = parseKeyRing(readFileSync(path, 'utf8'));
      known = { current, keys: { ...known.keys, ...keys } };
      version = found;
      told = undefined;
    } catch (error) {
      const reason = messageOf(error);
      if (reason !== told) onProblem(reason);
      told = reason;
    }
    return known;
  };
  return { reread, ring: () => (monotonicMs() - lookedMs < LOOK_MS ? known : reread()) };
}

/** Changes whenever the file is written or replaced. */
function versionOf(path: string): string {
  const { ino, mtimeMs, size } = statSync(path);
  return `${ino}/${mtimeMs}/${size}`;
}
