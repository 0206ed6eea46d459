import { t } from '@lingui/core/macro';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import { answerTo, apiClient, ApiFailure, type FoundProblem, type ShownGraph } from '../api/client';

/** A finding of the inspection, or the reason why the text is not a definition. */
export interface ShownFinding extends Pick<FoundProblem, 'type' | 'message' | 'line' | 'column'> {
  /** Whether a workflow with it cannot be saved. */
  readonly isError: boolean;
}

export interface CheckedText {
  readonly text: string;
  readonly findings: readonly ShownFinding[];
  /** Whether it is a definition, with findings or not. */
  readonly isReadable: boolean;
}

const TYPING_MS = 400;

/** Definitions are sent as text. */
const AS_TEXT = { headers: { 'content-type': 'text/plain' }, bodySerializer: (text?: string) => text ?? '' };

export const inspectionOf = (text: string) =>
  queryOptions({
    queryKey: ['inspection', text],
    queryFn: async (): Promise<CheckedText> => {
      try {
        const found = await answerTo(apiClient.POST('/api/v1/workflows/inspect', { body: text, ...AS_TEXT }));
        // An action may be added after the workflow that names it.
        const findings = found.map((finding) => ({ ...finding, isError: finding.type !== 'content' }));
        return { text, findings: findings.toSorted(byPlace), isReadable: true };
      } catch (error) {
        if (!(error instanceof ApiFailure) || error.status !== 400) throw error;
        const { line, column } = error.details;
        const finding = { type: 'syntax', message: error.message, line, column, isError: true };
        return { text, findings: [finding], isReadable: false };
      }
    },
    gcTime: 60_000,
    retry: false,
  });

/** @throws Error that names the first finding that keeps the text from being saved */
export async function refuseErrors(client: QueryClient, text: string): Promise<void> {
  const { findings } = await client.fetchQuery(inspectionOf(text));
  const found = findings.find(({ isError }) => isError);
  if (!found) return;
  const { message, line } = found;
  throw new Error(
    line ? t`The workflow is not valid: ${message} (line ${line})` : t`The workflow is not valid: ${message}`,
  );
}

const graphOfText = (text: string) =>
  queryOptions({
    queryKey: ['definition graph', text],
    queryFn: async (): Promise<ShownGraph> => {
      const { nodes, edges } = await answerTo(apiClient.POST('/api/v1/workflows/graph', { body: text, ...AS_TEXT }));
      return {
        workflow_execution_id: '',
        execution_id: '',
        status: '',
        nodes: nodes.map((node) => ({ ...node, status: null, runs: [] })),
        edges: edges.map((edge) => ({ ...edge, taken: 0 })),
      };
    },
    gcTime: 60_000,
    retry: false,
  });

interface DefinitionChecks {
  /** Of the text as it was when the author last paused. */
  readonly checked: CheckedText | undefined;
  /** The last graph that could be drawn. */
  readonly graph: ShownGraph | undefined;
  readonly error: Error | null;
}

/** Inspects and draws a definition whenever its author pauses. */
export function useDefinitionChecks(text: string): DefinitionChecks {
  const [settled] = useDebouncedValue(text, TYPING_MS);
  const inspection = useQuery({ ...inspectionOf(settled), placeholderData: keepPreviousData });
  const isDrawn = inspection.data?.text === settled && inspection.data.isReadable;
  const graph = useQuery({ ...graphOfText(settled), enabled: isDrawn, placeholderData: keepPreviousData });
  return { checked: inspection.data, graph: graph.data, error: inspection.error ?? graph.error };
}

const byPlace = (a: ShownFinding, b: ShownFinding): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
