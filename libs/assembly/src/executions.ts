import { addresses, dataLimits, expressionLimits } from '@switchyard/config';
import { createExecutions, createPermits } from '@switchyard/executions';
import { toldStatuses } from '@switchyard/triggers';
import { part } from './assembly';
import { configForOf, datastoreOf } from './datastore';
import { listenersOf } from './triggers';

/** The operations on executions. */
export const executionsOf = part((assembly) => {
  const { config, store, bus, sealer, clock, logger, metrics, spans } = assembly.platform;
  return createExecutions({
    store,
    sealer,
    clock,
    logger,
    spans,
    publisher: bus.publisher(),
    permits: createPermits({ bus, clock, logger }),
    webUrl: addresses(config).webConsole,
    onStatus: (status) => metrics.count('action.executions.{status}', { status }),
    isTold: toldStatuses(config.action_sensor, listenersOf(assembly)),
    lookupFor: datastoreOf(assembly).lookupFor,
    configFor: configForOf(assembly),
    limits: dataLimits(config),
    validateOutput: config.system.validate_output_schema,
    expressionLimits: expressionLimits(config),
    maxNesting: config.limits.max_nesting,
    maxRecordBytes: config.limits.max_record_bytes,
    maxTreeSize: config.limits.max_tree_size,
  });
});
