import { fault, type Clock } from '@switchyard/base';
import type { SensorStateRepository } from '@switchyard/storage';

export interface OwnershipDeps {
  readonly states: Pick<SensorStateRepository, 'change'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** How long a result stays valid: shorter than the silence after which others take over a sensor. */
  readonly freshMs: number;
}

/**
 * Checks regularly whether this container still owns a sensor. While a container is suspended, others may take its
 * sensors, and it must not store their events a second time. @returns rejects with Fault `sensor.lost`
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
