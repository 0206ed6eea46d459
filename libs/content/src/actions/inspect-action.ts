import { poolQueue } from '@switchyard/messaging';
import { toReference, toUid, type ActionRecord, type NotifySection, type NotifySpec } from '@switchyard/model';
import { issue, issuesOf, type Checked, type Issue } from '../check/issue';
import { checkPackField } from '../check/pack-field';
import { checkShape } from '../check/shape';
import { COMPUTED_FIELDS, REQUIRED_FIELDS, actionFields } from './action-fields';
import { checkEntryPoint } from './entry-point';
import { checkParameters } from './check-parameters';
import { findRunner, type RunnerTypes } from './runner-lookup';

export type ActionDraft = Omit<ActionRecord, '_id'>;

export interface ActionPlace extends RunnerTypes {
  pack: string;
  /** The directory of that pack. */
  packDirectory: string;
  /** Relative to the pack; empty for an action that has no file. */
  metadataFile: string;
  /** Schemas inside a parameter definition have to be plain draft 4: what the API asks for, and files need not. */
  plainNested?: boolean;
}

/** Everything that can be wrong with an action, or the record that it makes. */
export function inspectAction(input: Record<string, unknown>, place: ActionPlace): Checked<ActionDraft> {
  const shape = checkActionShape(input);
  // What has the wrong type, or is missing, cannot be looked at any closer.
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
    ...checkParameters(
      toReference(place.pack, metadata.name),
      metadata.parameters ?? {},
      runner.value,
      place.plainNested ?? false,
    ),
    ...checkEntryPoint(metadata.entry_point ?? '', place.packDirectory),
  ];
  return issues.length > 0 ? { issues } : { value: draftOf(metadata, place), issues: [] };
}

export const checkActionShape = (given: Record<string, unknown>): Issue[] =>
  checkShape(withoutComputed(given), { type: 'object', fields: actionFields, required: REQUIRED_FIELDS });

type Metadata = Pick<ActionRecord, 'name' | 'runner_type'> & Partial<ActionRecord>;

const withoutComputed = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([key]) => !COMPUTED_FIELDS.includes(key)));

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
    tags: metadata.tags ?? [],
    notify: notifyOf(metadata.notify ?? {}),
    metadata_file: metadataFile,
    ...(idempotent === undefined ? {} : { idempotent }),
    ...(pool === undefined ? {} : { pool }),
  };
}

/** `channels` is the former name of `routes`. */
function notifyOf(notify: NotifySpec): NotifySpec {
  const sections = Object.entries(notify).map(([name, given]) => {
    const { channels, ...section } = given as NotifySection & { channels?: string[] };
    return [name, channels && !section.routes ? { ...section, routes: channels } : section];
  });
  return Object.fromEntries(sections) as NotifySpec;
}

/** The label of the runners that are to run it. */
function checkPool({ pool }: Metadata): Issue[] {
  return pool === undefined ? [] : issuesOf(['pool'], () => void poolQueue(pool));
}

function checkName({ name }: Metadata, pack: string): Issue[] {
  if (name !== '') return [];
  return [issue(['name'], `Both pack and name needed for building ref. pack=${pack}, name=`)];
}
