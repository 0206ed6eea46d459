import type { OutputWriter } from '@switchyard/executions';
import { announcement } from '@switchyard/messaging';
import type { RunAbilities } from '@switchyard/runners';
import { executionKey } from '@switchyard/triggers';
import { persistently } from './persistently';
import type { ClaimedExecution, RunDeps } from './run-execution';

/** The parts of this service that the runner of one execution may use. */
export function createAbilities(deps: RunDeps, execution: ClaimedExecution, output: OutputWriter): RunAbilities {
  const { settings, dispatch, publisher, configFor } = deps;
  const { claim, _id: id, context } = execution;
  const pack = context['pack'];
  return {
    logger: deps.logger,
    config: settings,
    output: settings.streamOutput ? output.write : () => undefined,
    /** Stored at once: recovery ends this process group if this process dies. */
    async started({ pid, startTime, bootId }) {
      const process = { host: claim.host, pid, start_time: startTime, boot_id: bootId };
      const stored = await persistently(deps, execution, () => deps.executions.setProcess(execution, process));
      if (!stored) throw new Error('the execution was taken over by another process');
    },
    packConfig: async () => (typeof pack === 'string' ? (await configFor(pack, context)).values : {}),
    async dispatch(trigger, payload) {
      const traceContext = await deps.executions.traces.ofExecution(execution);
      const requestKey = executionKey(id, claim.number, trigger);
      await dispatch({ trigger, payload, requestKey, validate: false, traceContext });
    },
    async announce(route, payload) {
      const { id_, trace_tag } = await deps.executions.traces.ofExecution(execution);
      await publisher.publish(announcement({ route, payload, trace_context: { id_, trace_tag } }));
    },
  };
}
