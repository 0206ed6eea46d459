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
 * Keeps secret values out of records: a record contains masks, and the secrets separately and encrypted.
 * So code that reads a record cannot show a secret by mistake.
 */
export interface RecordSecrets {
  sealParameters(
    definition: DefinitionRecord,
    parameters: Record<string, unknown>,
    derivedSecrets: readonly string[],
  ): Pick<ExecutionRecord, 'parameters' | 'sealed_parameters' | 'derived_secrets'>;
  /** False when the key is gone: views then show masks, while a run fails. */
  canOpen(sealed: string | undefined): boolean;
  openParameters(record: ExecutionRecord): Record<string, unknown>;
  /** All secret texts and numbers in the parameters; undefined when the key is gone. */
  secretTexts(record: ExecutionRecord): readonly string[] | undefined;
  /** @param schema marks further parts as secret, besides the action's output schema */
  sealResult(
    record: Pick<ExecutionRecord, 'definition'>,
    result: Record<string, unknown>,
    schema?: Schema,
  ): Promise<SealedResult>;
  openResult(record: ExecutionRecord, masked: Record<string, unknown>): Record<string, unknown>;
  /** Encrypts a value that is secret as a whole. */
  sealWhole(value: unknown): string;
  openWhole(sealed: string): unknown;
}

/** Parameters that are secret as a whole: only the schema of the inquiry knows which parts of an answer are secret. */
const WHOLLY_SECRET: Readonly<Record<string, readonly string[]>> = { 'st2.inquiry.respond': ['response'] };

export interface SealedResult {
  masked: Record<string, unknown>;
  sealed?: string;
}

export function createRecordSecrets(definitions: Pick<DefinitionRepository, 'get'>, sealer: Sealer): RecordSecrets {
  const seal = (secrets: readonly Secret[]) => sealer.seal(JSON.stringify(secrets));
  const open = (masked: Record<string, unknown>, sealed: string | undefined) =>
    sealed === undefined
      ? masked
      : (restoreSecrets(masked, JSON.parse(sealer.open(sealed)) as Secret[]) as Record<string, unknown>);
  const canOpen = (sealed: string | undefined): boolean => {
    try {
      return sealed === undefined || sealer.open(sealed) !== '';
    } catch {
      return false;
    }
  };
  return {
    sealParameters({ runner, action }, parameters, given) {
      const whole = WHOLLY_SECRET[action.ref] ?? [];
      const derived = [...new Set([...given, ...whole.filter((name) => name in parameters)])];
      const known = mergeParameters(runner.runner_parameters, action.parameters);
      const { masked, secrets } = extractParameterSecrets(parameters, known, derived);
      return {
        parameters: masked,
        ...(secrets.length > 0 ? { sealed_parameters: seal(secrets) } : {}),
        ...(derived.length > 0 ? { derived_secrets: [...derived] } : {}),
      };
    },
    canOpen,
    openParameters: (record) => open(record.parameters, record.sealed_parameters),
    secretTexts({ sealed_parameters: sealed }) {
      if (sealed === undefined) return [];
      if (!canOpen(sealed)) return undefined;
      return (JSON.parse(sealer.open(sealed)) as Secret[]).flatMap(({ value }) => leaves(value));
    },
    async sealResult(record, result, schema) {
      const definition = await definitions.get(record.definition);
      const extracted = extractOutputSecrets(result, definition?.action.output_schema, definition?.runner.output_key);
      const further = schema ? extractSecrets(extracted.masked, schema) : { masked: extracted.masked, secrets: [] };
      const masked = further.masked as Record<string, unknown>;
      const hidden = [...extracted.secrets, ...further.secrets];
      return hidden.length > 0 ? { masked, sealed: seal(hidden) } : { masked };
    },
    openResult: (record, masked) => open(masked, record.sealed_result),
    sealWhole: (value) => sealer.seal(JSON.stringify(value)),
    openWhole: (sealed) => JSON.parse(sealer.open(sealed)) as unknown,
  };
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}
