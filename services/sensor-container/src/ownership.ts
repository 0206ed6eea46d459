import { fault, type Clock } from '@switchyard/base';
import type { SensorStateRepository } from '@switchyard/storage';

export interface OwnershipDeps {
  readonly states: Pick<SensorStateRepository, 'change'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** How long a result stays valid: shorter than the silence after which others take a sensor over. */
  readonly freshMs: number;
}

/**
 * Checks now and then whether this container still owns a sensor. A container that was suspended does not know that
 * others have taken its sensors, and must not store their events a second time.
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
    // Sets the same value again: only the condition matters.
    if (!(await states.change(ref, instance, { set: { 'owner.instance': instance } })))
      throw fault('sensor.lost', { ref });
    confirmedMs = now;
  };
}
