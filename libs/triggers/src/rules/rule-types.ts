/** A way in which rules are asked. The types are fixed; there is nothing to store. */
export interface RuleType {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export const RULE_TYPES: readonly RuleType[] = [
  {
    id: '5157a9d10000000000000001',
    name: 'standard',
    description: 'Asked about each instance of its trigger.',
    enabled: true,
    parameters: {},
  },
  {
    id: '5157a9d10000000000000002',
    name: 'backstop',
    description: 'Asked when no other rule of the trigger has matched.',
    enabled: true,
    parameters: {},
  },
];
