import { ACTION_TRIGGER, createListeners, createTriggers } from '@switchyard/triggers';
import { part } from './assembly';

/** The rules that listen to the trigger of ended executions. */
export const listenersOf = part(({ platform: { store, bus, clock, logger } }) =>
  createListeners({ rules: store.rules, bus, clock, logger }, ACTION_TRIGGER),
);

/** Trigger types, triggers and the dispatch of events. */
export const triggersOf = part((assembly) => {
  const { store, bus, config, clock, logger, spans } = assembly.platform;
  const onRuleChange = listenersOf(assembly).changed;
  return createTriggers({ store, publisher: bus.publisher(), config, clock, logger, spans, onRuleChange });
});
