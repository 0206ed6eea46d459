import { fault, type Clock } from '@switchyard/base';
import type { SensorStateRepository } from '@switchyard/storage';

export interface OwnershipDeps {
  readonly states: Pick<SensorStateRepository, 'change'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** How long an answer of the store holds: less than the silence after which others take a sensor over. */
  readonly freshMs: number;
}

/**
 * Asks the store, now and then, whether a sensor is still this container's. A container that was paused does not know that
 * others have taken its sensors; what these have to tell must not be stored a second time.
 * @returns rejects with Fault `sensor.lost`
 */
export function confirmedOwner(
  { states, clock, freshMs }: OwnershipDeps,
  ref: string,
  instance: string,
): () => Promise<void> {
  let confirmedMs = clock.monotonicMs();
  return async () => {
    const now = clock.monotonicMs();
    if (now - confirmedMs < freshMs) return;
    // Sets what is set already: the condition is what counts.
    if (!(await states.change(ref, instance, { set: { 'owner.instance': instance } })))
      throw fault('sensor.lost', { ref });
    confirmedMs = now;
  };
}
