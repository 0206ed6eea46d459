import { recordedLines } from '@switchyard/testkit/recorded';

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

/** The recorded workflows of a profile. */
export const recordedWorkflows = (profile: string): RecordedWorkflow[] =>
  recordedLines<RecordedWorkflow>(`workflows/${profile}.jsonl`);

export const PROFILES = ['basic', 'cycle', 'items', 'full', 'control', 'rerun'];
