import { systemClock } from '@switchyard/base';
import type { Config } from '@switchyard/config';
import type { Message } from '@switchyard/messaging';
import type { StoreWithoutExecutions } from '@switchyard/storage';
import { createTriggers, type Triggers } from '@switchyard/triggers';

/** Triggers on a store, with a publisher that collects messages. */
export const triggersOn = (store: StoreWithoutExecutions, messages: Message[] = []): Triggers =>
  createTriggers({
    store,
    publisher: {
      publish: async (message) => void messages.push(message),
      publishAll: async (several) => void messages.push(...several),
    },
    config: {
      system: { validate_trigger_parameters: true, validate_trigger_payload: true } as Config['system'],
      action_sensor: { enable: true } as Config['action_sensor'],
    },
    clock: systemClock(),
    logger: { warn: () => undefined, info: () => undefined },
  });

/** Counts for packs with only actions. */
export const NONE = {
  rule_types: 2,
  policy_types: 4,
  triggers: 0,
  sensors: 0,
  rules: 0,
  aliases: 0,
  policies: 0,
  configs: 0,
};
