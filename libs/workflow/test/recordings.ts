import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(__dirname, '../../../../shared/conformance');

export interface RecordedFinding {
  message: string;
  spec_path: string | null;
  schema_path: string;
  type?: string;
  expression?: string;
}

export interface RecordedWorkflow {
  definition: Record<string, unknown>;
  inspect: Record<string, RecordedFinding[]>;
}

/** The recorded workflows of a profile; none, with a note, where the recordings are not at hand. */
export function recordedWorkflows(profile: string): RecordedWorkflow[] {
  const file = path.join(folder, 'workflows', `${profile}.jsonl`);
  if (!existsSync(file)) {
    process.stdout.write(`skipped: no recordings at ${file}\n`);
    return [];
  }
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedWorkflow);
}

export const PROFILES = ['basic', 'cycle', 'items', 'full', 'control', 'rerun'];
