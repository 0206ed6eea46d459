/**
 * The consumers that may still have to act on a record. Each transition names them in the same write, and a consumer removes
 * its own name once its effect is stored. The sweep sends a new message for names that stay too long.
 */
export const DUE_CONSUMERS = ['scheduler', 'action-runner', 'workflow-engine', 'notifier'] as const;
export type DueConsumer = (typeof DUE_CONSUMERS)[number];
