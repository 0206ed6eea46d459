import { join } from 'node:path';
import { RECORDED, recordedLines } from '@switchyard/testkit/recorded';

export interface RecordedStep {
  do: string;
  body?: Record<string, unknown>;
  message?: boolean;
  defect?: number;
  expect: { status: number; body: Record<string, unknown> | null };
}

/** Folder of the pack that was written for the recordings. */
export const conformancePacks = join(RECORDED, 'packs');

/** The scenarios of a file whose names start with a text. */
export const recordedScenarios = (file: string, prefix: string): { name: string; steps: RecordedStep[] }[] =>
  recordedLines<{ name: string; steps: RecordedStep[] }>(`http/${file}`).filter(({ name }) => name.startsWith(prefix));
