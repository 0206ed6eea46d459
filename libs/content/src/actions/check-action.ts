import { fault, isPlainObject } from '@switchyard/base';
import { pythonRepr } from '@switchyard/model';
import { acceptedValue, refuseIssues } from '../check/issue';
import { checkShape } from '../check/shape';
import { requireActionsPack } from '../packs/find-packs';
import { dataFileFields } from './action-fields';
import { checkActionShape, inspectAction, type ActionDraft, type RunnerSchemas } from './inspect-action';

/** A data file of an action. `file_path` is relative to the `actions` folder of the pack. */
export interface DataFile {
  file_path: string;
  content: string;
}

export interface ActionRequest extends RunnerSchemas {
  /** Directories of packs. The first that contains a pack wins. */
  roots: readonly string[];
  /** The pack for actions that name none. Default: `default`. */
  pack?: string;
}

export interface CheckedAction {
  action: ActionDraft;
  dataFiles: DataFile[];
  packDirectory: string;
}

interface ActionBody {
  metadata: Record<string, unknown>;
  dataFiles: DataFile[];
}

/** Checks the types of what a request to create or replace an action contains. @throws Fault `content.invalid` */
export function checkActionBody(input: unknown): ActionBody {
  if (!isPlainObject(input)) throw fault('content.invalid', { text: `${pythonRepr(input)} is not of type 'object'` });
  const { data_files: dataFiles = [], ...metadata } = input;
  refuseIssues([...checkActionShape(metadata), ...checkShape(dataFiles, dataFileFields, ['data_files'])]);
  return { metadata, dataFiles: dataFiles as DataFile[] };
}

/**
 * Checks a request to create or replace an action, and builds the record without an id.
 * @throws Fault `content.invalid` or a fault of the parameters, `content.system-pack`, `content.no-pack-directory`
 */
export async function checkAction(input: unknown, request: ActionRequest): Promise<CheckedAction> {
  const { metadata, dataFiles } = checkActionBody(input);
  const { pack = request.pack ?? 'default' } = metadata as Record<string, string>;
  const metadataFile = (metadata['metadata_file'] ?? '') as string;
  refuseSystemPack(pack);
  const packDirectory = await requireActionsPack(request.roots, pack);
  const place = { ...request, pack, packDirectory, metadataFile, plainNested: true };
  const action = acceptedValue(inspectAction(metadata, place));
  const filled = { ...action, output_schema: filledOutputSchema(action.output_schema) };
  return { action: filled, dataFiles, packDirectory };
}

const defaults: Readonly<Record<string, unknown>> = {
  additionalItems: {},
  items: {},
  uniqueItems: false,
  required: false,
  secret: false,
  additionalProperties: {},
  definitions: {},
  properties: {},
  patternProperties: {},
  immutable: false,
};

/**
 * Adds the default attributes that the API stores with the output schema of actions it creates, because clients read them.
 * Actions from files keep their schema unchanged.
 */
export const filledOutputSchema = (schema: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  ...schema,
  ...Object.fromEntries(Object.entries(defaults).filter(([attribute]) => !Object.hasOwn(schema, attribute))),
});

/**
 * Rejects changes of built-in content through the API.
 * @param packs `core` by default; clones may not go into any of `SYSTEM_PACKS`
 * @throws Fault `content.system-pack`
 */
export function refuseSystemPack(pack: string, packs: readonly string[] = ['core']): void {
  if (packs.includes(pack)) throw fault('content.system-pack');
}
