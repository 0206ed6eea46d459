import type { Bench } from './bench';

/** An action of the bench, with its files relative to the folder `actions` of its pack. */
export interface BenchAction {
  readonly name: string;
  readonly runner_type: string;
  readonly entry_point: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly data_files: readonly { readonly file_path: string; readonly content: string }[];
}

/** The pack that exists on every system. */
const PACK = 'default';

export const referenceOfAction = (name: string): string => `${PACK}.${name}`;

/** Creates actions through the API, or replaces them. The other system may run on another machine, so nothing is copied
 * into its folders. */
export async function withActions({ api, removeLater }: Bench, actions: readonly BenchAction[]): Promise<void> {
  for (const action of actions) {
    const body = { ...action, pack: PACK, enabled: true, description: 'Created by the bench.' };
    const path = `/v1/actions/${referenceOfAction(action.name)}`;
    const created = await api.call('POST', '/v1/actions', body);
    const { status, body: answer } = created.status === 409 ? await api.call('PUT', path, body) : created;
    if (status !== 200 && status !== 201)
      throw new Error(`the action ${action.name} was refused with ${status}: ${JSON.stringify(answer)}`);
    removeLater(path);
  }
}
