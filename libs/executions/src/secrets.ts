import {
  extractOutputSecrets,
  extractParameterSecrets,
  extractSecrets,
  mergeParameters,
  restoreSecrets,
  type DefinitionRecord,
  type ExecutionRecord,
  type Schema,
  type Secret,
} from '@switchyard/model';
import type { DefinitionRepository, Sealer } from '@switchyard/storage';

/**
 * Keeps secret values out of records: a record holds masks in their places and, encrypted, the list of what they hide.
 * So nothing that reads a record can show a secret by mistake.
 */
export interface SecretKeeper {
  sealParameters(
    definition: DefinitionRecord,
    parameters: Record<string, unknown>,
    derivedSecrets: readonly string[],
  ): Pick<ExecutionRecord, 'parameters' | 'sealed_parameters' | 'derived_secrets'>;
  openParameters(record: ExecutionRecord): Record<string, unknown>;
  /** @param schema says of further parts that they are secret, besides the action's output schema */
  sealResult(
    record: Pick<ExecutionRecord, 'definition'>,
    result: Record<string, unknown>,
    schema?: Schema,
  ): Promise<SealedResult>;
  openResult(record: ExecutionRecord, masked: Record<string, unknown>): Record<string, unknown>;
}

export interface SealedResult {
  masked: Record<string, unknown>;
  sealed?: string;
}

export function createSecretKeeper(definitions: Pick<DefinitionRepository, 'get'>, sealer: Sealer): SecretKeeper {
  const seal = (secrets: readonly Secret[]) => sealer.seal(JSON.stringify(secrets));
  const open = (masked: Record<string, unknown>, sealed: string | undefined) =>
    sealed === undefined
      ? masked
      : (restoreSecrets(masked, JSON.parse(sealer.open(sealed)) as Secret[]) as Record<string, unknown>);
  return {
    sealParameters({ runner, action }, parameters, derived) {
      const known = mergeParameters(runner.runner_parameters, action.parameters);
      const { masked, secrets } = extractParameterSecrets(parameters, known, derived);
      return {
        parameters: masked,
        ...(secrets.length > 0 ? { sealed_parameters: seal(secrets) } : {}),
        ...(derived.length > 0 ? { derived_secrets: [...derived] } : {}),
      };
    },
    openParameters: (record) => open(record.parameters, record.sealed_parameters),
    async sealResult(record, result, schema) {
      const definition = await definitions.get(record.definition);
      const extracted = extractOutputSecrets(result, definition?.action.output_schema, definition?.runner.output_key);
      const further = schema ? extractSecrets(extracted.masked, schema) : { masked: extracted.masked, secrets: [] };
      const masked = further.masked as Record<string, unknown>;
      const hidden = [...extracted.secrets, ...further.secrets];
      return hidden.length > 0 ? { masked, sealed: seal(hidden) } : { masked };
    },
    openResult: (record, masked) => open(masked, record.sealed_result),
  };
}
