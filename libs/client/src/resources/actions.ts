import type { Definitions } from '@switchyard/model';
import type { Transport } from '../transport/transport';
import { answerOf, records, type Records } from './records';

/** An action as the API shows it. */
export interface Action {
  id: string;
  ref: string;
  uid: string;
  name: string;
  pack: string;
  description?: string;
  enabled: boolean;
  runner_type: string;
  entry_point: string;
  parameters: Definitions;
  output_schema?: Record<string, unknown>;
  tags?: { name: string; value: string }[];
  notify?: Record<string, unknown>;
  metadata_file?: string;
}

export interface Actions extends Omit<Records<Action>, 'delete'> {
  delete(refOrId: string, options?: { removeFiles?: boolean }): Promise<void>;
  clone(source: string, destination: { pack: string; name: string; overwrite?: boolean }): Promise<Action>;
}

const PATH = ['actions'];

export const createActions = (transport: Transport): Actions => ({
  ...records<Action>(transport, PATH),
  async delete(refOrId, { removeFiles = false } = {}) {
    const body = { remove_files: removeFiles };
    await transport.text({ service: 'api', method: 'DELETE', path: [...PATH, refOrId], body });
  },
  clone: (source, { pack, name, overwrite = false }) =>
    answerOf(transport, 'POST', [...PATH, source, 'clone'], { dest_pack: pack, dest_action: name, overwrite }),
});
