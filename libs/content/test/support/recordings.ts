import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface RecordedStep {
  do: string;
  body?: Record<string, unknown>;
  message?: boolean;
  defect?: number;
  expect: { status: number; body: Record<string, unknown> | null };
}

/** Recorded answers of the reference, beside the checkout where they are there at all. */
const folder = join(__dirname, '../../../../../shared/conformance');

export const conformancePack: string | undefined = existsSync(join(folder, 'packs'))
  ? join(folder, 'packs')
  : undefined;

/** The scenarios of a file whose names start with a text; none when the folder is missing. */
export function recordedScenarios(file: string, prefix: string): { name: string; steps: RecordedStep[] }[] {
  const path = join(folder, 'http', file);
  if (!existsSync(path)) {
    console.log(`Skipped: ${path} is not there.`);
    return [];
  }
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { name: string; steps: RecordedStep[] })
    .filter(({ name }) => name.startsWith(prefix));
}
