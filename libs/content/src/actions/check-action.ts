import { fault, isPlainObject } from '@switchyard/base';
import { pythonRepr } from '@switchyard/model';
import { accepted, refuse } from '../check/issue';
import { checkShape } from '../check/shape';
import { requireActionsPack } from '../packs/find-packs';
import { dataFileFields } from './action-fields';
import { checkActionShape, inspectAction, type ActionDraft } from './inspect-action';
import { filledOutputSchema } from './output-schema';
import type { RunnerTypes } from './runner-lookup';
import { refuseSystemPack } from './system-packs';

/** A file that comes with an action. `file_path` is relative to the `actions` folder of the pack. */
export interface DataFile {
  file_path: string;
  content: string;
}

export interface ActionRequest extends RunnerTypes {
  /** Directories of packs; the first that holds a pack wins. */
  roots: readonly string[];
  /** The pack of an action that names none. Default: `default`. */
  pack?: string;
}

export interface CheckedAction {
  action: ActionDraft;
  dataFiles: DataFile[];
  packDirectory: string;
}

/**
 * Checks what a client sends to create or to replace an action, and builds the record of it, without an id.
 * @throws Fault `content.invalid` or a fault of the parameters, `content.system-pack`, `content.no-pack-directory`
 */
export async function checkAction(input: unknown, request: ActionRequest): Promise<CheckedAction> {
  if (!isPlainObject(input)) throw fault('content.invalid', { text: `${pythonRepr(input)} is not of type 'object'` });
  const { data_files: dataFiles = [], ...metadata } = input;
  refuse([...checkActionShape(metadata), ...checkShape(dataFiles, dataFileFields, ['data_files'])]);
  const { pack = request.pack ?? 'default', metadata_file: metadataFile = '' } = metadata as Record<string, string>;
  refuseSystemPack(pack);
  const packDirectory = await requireActionsPack(request.roots, pack);
  const place = { ...request, pack, packDirectory, metadataFile, plainNested: true };
  const action = accepted(inspectAction(metadata, place));
  const filled = { ...action, output_schema: filledOutputSchema(action.output_schema) };
  return { action: filled, dataFiles: dataFiles as DataFile[], packDirectory };
}
