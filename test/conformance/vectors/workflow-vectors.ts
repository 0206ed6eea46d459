import { inspectWorkflow } from '@switchyard/workflow';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { replayTrace, type Trace } from '../../../libs/workflow/test/conductor/trace';
import { filesOf, linesOf } from './vector-files';
import type { VectorKind } from './vector-kind';
import { classOfDifference } from './workflow-classes';

interface RecordedFinding {
  readonly spec_path: string | null;
  readonly type?: string | null;
}

/** The inspection findings of a definition and, if it is valid, the conductor's results at each step of a run. */
export const workflowVectors: VectorKind = {
  name: 'workflows',
  files: (folder) => filesOf(join(folder, 'workflows'), /./).map((file) => join('workflows', file)),
  read: (folder, file) =>
    (linesOf(folder, file) as Trace[]).map((trace) => ({
      key: keyOf(trace),
      check: () => differenceIn(trace),
      classOf: (difference) => classOfDifference(trace, difference),
    })),
};

/** Names change with each recording, so a hash prefix identifies the content. */
function keyOf({ name, definition, input, trace }: Trace): string {
  const content = JSON.stringify([definition, input, trace?.map((step) => ({ ...step, after: undefined }))]);
  return `${name} ${createHash('sha256').update(content).digest('hex').slice(0, 8)}`;
}

function differenceIn(trace: Trace): string | undefined {
  const inspection = inspectWorkflow(trace.definition, { context: Object.keys(trace.context) });
  const [expected, found] = [findingsOf(trace.inspect), findingsOf(inspection)];
  if (expected !== found) return `inspection: expected ${expected || 'nothing'}, got ${found || 'nothing'}`;
  return expected === '' ? replayTrace(trace).join('; ') || undefined : undefined;
}

/** The category, place and language of each finding. Message texts may differ. */
const findingsOf = (inspection: Readonly<Record<string, unknown>>): string =>
  Object.entries(inspection)
    .flatMap(([category, findings]) =>
      (findings as RecordedFinding[]).map(({ spec_path, type = null }) => `${category} ${spec_path} ${type}`),
    )
    .sort()
    .join(', ');
