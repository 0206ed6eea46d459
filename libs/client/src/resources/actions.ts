import type { Definitions } from '@switchyard/model';
import type { Transport } from '../transport/transport';
import { answerOf, records, type PackContent, type Records } from './records';

/** An action as the API shows it. */
export interface Action extends PackContent {
  enabled: boolean;
  runner_type: string;
  entry_point: string;
  parameters: Definitions;
  output_schema?: Record<string, unknown>;
  tags?: { name: string; value: string }[];
  notify?: Record<string, unknown>;
}

export interface Actions extends Omit<Records<Action>, 'delete'> {
  delete(refOrId: string, options?: { removeFiles?: boolean }): Promise<void>;
  /** The text of the file that the action runs: of a workflow, its definition. */
  entryPoint(refOrId: string): Promise<string>;
  clone(source: string, destination: { pack: string; name: string; overwrite?: boolean }): Promise<Action>;
}

const PATH = ['actions'];

export const createActions = (transport: Transport): Actions => ({
  ...records<Action>(transport, PATH),
  async delete(refOrId, { removeFiles = false } = {}) {
    const body = { remove_files: removeFiles };
    await transport.text({ service: 'api', method: 'DELETE', path: [...PATH, refOrId], body });
  },
  entryPoint: (refOrId) =>
    transport.text({ service: 'api', method: 'GET', path: [...PATH, 'views', 'entry_point', refOrId] }),
  clone: (source, { pack, name, overwrite = false }) =>
    answerOf(transport, 'POST', [...PATH, source, 'clone'], { dest_pack: pack, dest_action: name, overwrite }),
});
