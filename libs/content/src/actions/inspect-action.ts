import { poolQueue } from '@switchyard/messaging';
import {
  toReference,
  toUid,
  type ActionRecord,
  checkOutputSchema,
  checkParameterDefinitions,
  notifyWithRoutes,
  type ParameterDefinitions,
  unknownRunner,
  type RunnerTypeRecord,
  wholeTags,
} from '@switchyard/model';
import { issue, issuesOf, type Checked, type Issue, checkPackField } from '../check/issue';
import { checkShape } from '../check/shape';
import { checkEntryPoint } from '../files/pack-path';
import { REQUIRED_FIELDS, actionFields } from './action-fields';

export type ActionDraft = Omit<ActionRecord, '_id'>;

export interface ActionPlace extends RunnerSchemas {
  pack: string;
  /** The directory of that pack. */
  packDirectory: string;
  /** Relative to the pack; empty for an action without a file. */
  metadataFile: string;
  /** Require schemas inside parameter definitions to be plain draft 4. The API does so; files need not. */
  plainNested?: boolean;
}

/** Checks the metadata of an action. @returns the record, or every issue */
export function inspectAction(input: Record<string, unknown>, place: ActionPlace): Checked<ActionDraft> {
  const shape = checkActionShape(input);
  // Fields that are missing or have the wrong type cannot be checked further.
  if (shape.some(({ path }) => path.length === 1 && Object.hasOwn(actionFields, String(path[0]))))
    return { issues: shape };
  const metadata = input as unknown as Metadata;
  const runner = findRunner(metadata.runner_type, place);
  const issues = [
    ...shape,
    ...checkPackField(metadata, place.pack),
    ...checkName(metadata, place.pack),
    ...checkPool(metadata),
    ...runner.issues,
    ...checkActionParameters(
      toReference(place.pack, metadata.name),
      metadata.parameters ?? {},
      runner.value,
      place.plainNested ?? false,
    ),
    ...issuesOf(['output_schema'], () => checkOutputSchema(metadata.output_schema ?? {})),
    ...checkEntryPoint(metadata.entry_point ?? '', place.packDirectory),
  ];
  return issues.length > 0 ? { issues } : { value: draftOf(metadata, place), issues: [] };
}

export const checkActionShape = (given: Record<string, unknown>): Issue[] =>
  checkShape(given, { type: 'object', fields: actionFields, required: REQUIRED_FIELDS });

type Metadata = Pick<ActionRecord, 'name' | 'runner_type'> & Partial<ActionRecord>;

function draftOf(metadata: Metadata, { pack, metadataFile }: ActionPlace): ActionDraft {
  const { name, description, idempotent, pool } = metadata;
  return {
    ref: toReference(pack, name),
    uid: toUid('action', pack, name),
    name,
    pack,
    ...(description === undefined ? {} : { description }),
    enabled: metadata.enabled ?? true,
    runner_type: metadata.runner_type,
    entry_point: metadata.entry_point ?? '',
    parameters: metadata.parameters ?? {},
    output_schema: metadata.output_schema ?? {},
    tags: wholeTags(metadata.tags),
    notify: notifyWithRoutes(metadata.notify ?? {}),
    metadata_file: metadataFile,
    ...(idempotent === undefined ? {} : { idempotent }),
    ...(pool === undefined ? {} : { pool }),
  };
}

/** The pool is the label of the action runners that may run the action. */
function checkPool({ pool }: Metadata): Issue[] {
  return pool === undefined ? [] : issuesOf(['pool'], () => void poolQueue(pool));
}

function checkName({ name }: Metadata, pack: string): Issue[] {
  if (name !== '') return [];
  return [issue(['name'], `Both pack and name needed for building ref. pack=${pack}, name=`)];
}

/**
 * Reports every invalid parameter definition, or, if each is valid by itself, the conflicts between them.
 * @param runner undefined when the action names an unknown runner; its parameters are then not checked
 * @param plainNested see `DefinitionContext`
 */
function checkActionParameters(
  ref: string,
  parameters: ParameterDefinitions,
  runner: RunnerSchema | undefined,
  plainNested: boolean,
): Issue[] {
  const context = { actionRef: ref, runnerParameters: runner?.runner_parameters ?? {}, plainNested };
  const check = (some: unknown) => () => checkParameterDefinitions(some, context);
  const together = issuesOf(['parameters'], check(parameters));
  if (together.length === 0) return together;
  const alone = Object.entries(parameters).flatMap(([name, definition]) =>
    issuesOf(['parameters', name], check({ [name]: definition })),
  );
  return alone.length > 0 ? alone : together;
}

/** A runner type, without the ids that the store adds. */
export type RunnerSchema = Omit<RunnerTypeRecord, '_id' | 'uid'>;

/** The known runner types. */
export interface RunnerSchemas {
  runnerTypes: readonly RunnerSchema[];
  /** Limit for criteria and formats. Default: that of `limits.max_pattern_length`. */
  maxPatternLength?: number | undefined;
}

/** Finds the runner that an action names, or the issue to report. */
function findRunner(name: string, { runnerTypes }: RunnerSchemas): Checked<RunnerSchema> {
  const found = runnerTypes.find((runner) => runner.name === name);
  if (found) return { value: found, issues: [] };
  const thrown = unknownRunner(name);
  return { issues: [{ path: ['runner_type'], text: thrown.message, fault: thrown }] };
}
