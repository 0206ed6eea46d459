import { fault, isPlainObject, type Clock } from '@switchyard/base';
import type { Store } from '@switchyard/storage';
import type { Logger, Metrics } from '@switchyard/telemetry';
import type { Dispatch, DispatchTrace, TriggerName } from '@switchyard/triggers';
import { objectOf, wrong, type Parameters } from './read-parameters';
import { whileAway } from './while-away';

export interface DispatchCallDeps {
  readonly store: Pick<Store, 'triggers'>;
  readonly dispatch: Dispatch;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Pick<Metrics, 'time'>;
}

export interface DispatchOrigin {
  /** Reference of the sensor. */
  readonly sensor: string;
  /** Identifies this call permanently, so that its event is stored once, however often it is retried. */
  readonly requestKey: string;
  gaveUp(): boolean;
  /** Rejects when another container owns the sensor, which then reports its events. */
  confirmOwner(): Promise<void>;
}

/**
 * Stores an event of a sensor. Resolves once the event is stored, and the sensor continues. While the store is
 * unavailable, the sensor waits.
 * @throws Fault when the event is refused
 */
export async function dispatchCall(deps: DispatchCallDeps, parameters: Parameters, origin: DispatchOrigin) {
  const { clock, logger, metrics, dispatch } = deps;
  const payload = objectOf(parameters, 'payload');
  const traceContext = objectOf(parameters, 'trace_context') as DispatchTrace | null;
  const { sensor, requestKey, gaveUp, confirmOwner } = origin;
  const startMs = clock.monotonicMs();
  await whileAway(
    async () => {
      await confirmOwner();
      const trigger = await triggerName(deps.store, parameters['trigger']);
      await dispatch({ trigger, payload, traceContext, requestKey });
    },
    {
      clock,
      gaveUp,
      onFailure: (error) =>
        logger.warn('The store is unavailable; an event of a sensor is waiting.', { sensor, error }),
    },
  );
  metrics.time('sensorcontainer.dispatch', clock.monotonicMs() - startMs);
}

/** A reference or an object: a sensor may pass back the trigger that it got by `add_trigger`. */
async function triggerName({ triggers }: Pick<Store, 'triggers'>, given: unknown): Promise<TriggerName> {
  if (typeof given === 'string' && given !== '') return given;
  if (!isPlainObject(given)) throw wrong('trigger', 'a reference or an object', given);
  const { id, uid, type, parameters } = given;
  const known =
    (typeof id === 'string' ? await triggers.get(id) : undefined) ??
    (typeof uid === 'string' ? (await triggers.list({ filter: { uid }, limit: 1 }))[0] : undefined);
  if (known) return known.ref;
  if (typeof type !== 'string') throw fault('sensor.call', { reason: '"trigger" names no trigger and no type' });
  return { type, parameters: objectOf({ parameters }, 'parameters') ?? {} };
}
