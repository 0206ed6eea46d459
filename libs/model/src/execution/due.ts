/**
 * The consumers that may still have to act on a record. Each transition names them in the same write; a consumer
 * takes its own name off once its effect is in the store. The sweep sends a new message for names that stay too long.
 */
export const DUE_CONSUMERS = ['scheduler', 'action-runner', 'workflow-engine', 'notifier'] as const;
export type DueConsumer = (typeof DUE_CONSUMERS)[number];
