import { toUid } from '../records/reference';

/** A type of policy. The types are fixed and not stored. */
export interface PolicyTypeDeclaration {
  readonly id: string;
  /** `<resource type>.<name>`. */
  readonly ref: string;
  readonly uid: string;
  readonly name: string;
  readonly resource_type: 'action';
  readonly description: string;
  readonly enabled: boolean;
  /** Clients of the reference expect this member; it is not used. */
  readonly module: string;
  /** A schema for each parameter. */
  readonly parameters: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export const CONCURRENCY = 'action.concurrency';
export const CONCURRENCY_BY_ATTRIBUTE = 'action.concurrency.attr';
export const RETRY_POLICY = 'action.retry';
export const RATE_LIMIT = 'action.rate_limit';

const overLimit = {
  type: 'string',
  description: 'What happens to executions over the limit: they wait or are canceled.',
  default: 'delay',
  enum: ['delay', 'cancel'],
};

const threshold = {
  type: 'integer',
  description: 'Maximum number of executions at the same time.',
  required: true,
  minimum: 1,
};

const attributes = {
  type: 'array',
  description: 'Names of parameters: executions that agree in all of them share a limit.',
  uniqueItems: true,
  items: { type: 'string', minLength: 1 },
};

const typeOf = (
  number: number,
  name: string,
  module: string,
  described: Pick<PolicyTypeDeclaration, 'description' | 'parameters'>,
): PolicyTypeDeclaration => ({
  id: `5157a9d1000000000000010${number}`,
  ref: `action.${name}`,
  uid: toUid('policy_type', 'action', name),
  name,
  resource_type: 'action',
  enabled: true,
  module: `svcactions.policies.${module}`,
  ...described,
});

export const POLICY_TYPES: readonly PolicyTypeDeclaration[] = [
  typeOf(1, 'concurrency', 'concurrency', {
    description: 'Limits how many executions of an action run at the same time.',
    parameters: { threshold, action: overLimit },
  }),
  typeOf(2, 'concurrency.attr', 'concurrency_by_attr', {
    description: 'Limits how many executions of an action with the same parameter values run at the same time.',
    parameters: { threshold, action: overLimit, attributes },
  }),
  typeOf(3, 'retry', 'retry', {
    description: 'Runs an action again that has failed or taken too long.',
    parameters: {
      retry_on: {
        type: 'string',
        description: 'The end after which it is run again.',
        required: true,
        enum: ['failure', 'timeout'],
      },
      max_retry_count: {
        type: 'integer',
        description: 'How many times it is run again.',
        required: true,
        minimum: 1,
        maximum: 5,
        default: 2,
      },
      delay: {
        type: 'number',
        description: 'Seconds to wait before it is run again.',
        required: false,
        minimum: 0,
        maximum: 120,
      },
    },
  }),
  typeOf(4, 'rate_limit', 'rate_limit', {
    description: 'Limits how many executions of an action are started in a period.',
    parameters: {
      limit: {
        type: 'integer',
        description: 'How many executions may be started in the period.',
        required: true,
        minimum: 1,
        maximum: 1000,
      },
      per: { type: 'number', description: 'The period, in seconds.', required: true, minimum: 0.1, maximum: 86_400 },
      attributes,
      action: overLimit,
    },
  }),
];

export const policyTypeOf = (ref: string): PolicyTypeDeclaration | undefined =>
  POLICY_TYPES.find((type) => type.ref === ref);
