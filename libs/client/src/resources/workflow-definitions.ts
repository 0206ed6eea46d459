import type { ApiTransport } from '../transport/transport';

/** One problem of a workflow definition. */
export interface DefinitionFinding {
  readonly type: string;
  readonly message: string;
  readonly spec_path: string | null;
  readonly schema_path: string;
  readonly language?: string | null;
  readonly expression?: string;
  readonly line?: number;
  readonly column?: number;
}

export interface WorkflowDefinitions {
  /** All problems of a definition in YAML, including those of the actions that it names. */
  inspect(definition: string): Promise<DefinitionFinding[]>;
}

export const createWorkflowDefinitions = (transport: ApiTransport): WorkflowDefinitions => ({
  async inspect(text) {
    const call = { service: 'api', method: 'POST', path: ['workflows', 'inspect'], text } as const;
    return (await transport.json<DefinitionFinding[]>(call)).body;
  },
});
