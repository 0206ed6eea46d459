import { MASK, refuseMaskedParameters } from '@switchyard/model';
import type { Store } from '@switchyard/storage';
import { runnerMerge } from '../actions/action-view';

/**
 * Refuses parameters that contain masks of secrets, which a client has copied from elsewhere.
 * @param under where the parameters are, for the message
 * @throws Fault `schema.mask`
 */
export async function refuseMasked(
  store: Pick<Store, 'actions' | 'runnerTypes'>,
  ref: string,
  parameters: Readonly<Record<string, unknown>>,
  under: readonly string[],
): Promise<void> {
  if (!JSON.stringify(parameters).includes(MASK)) return;
  const action = await store.actions.byKey(ref);
  if (action) refuseMaskedParameters(parameters, (await runnerMerge(store))(action), under);
}
