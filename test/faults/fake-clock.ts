import { existsSync, renameSync, writeFileSync } from 'node:fs';

/** Debian's package `faketime`. */
const LIBRARIES = ['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`);

/** A wall clock for single processes, which can jump. Their monotonic clock and the clock of the machine stay. */
export interface FakeClock {
  /** The environment of a process with this clock. */
  readonly environment: Readonly<Record<string, string>>;
  /** Takes effect within a second. @param offsetSeconds from the real time */
  set(offsetSeconds: number): void;
}

/** @returns undefined if the library is not installed */
export function fakeClock(file: string): FakeClock | undefined {
  const library = LIBRARIES.find((path) => existsSync(path));
  if (library === undefined) return undefined;
  const set = (offsetSeconds: number) => {
    writeFileSync(`${file}.new`, `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}\n`);
    renameSync(`${file}.new`, file);
  };
  set(0);
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
  };
}
