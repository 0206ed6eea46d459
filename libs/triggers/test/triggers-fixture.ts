import { newId } from '@switchyard/base';
import type { RuleRecord } from '@switchyard/model';
import { createTriggers, type Triggers } from '@switchyard/triggers';
import type { TestPlatform } from '@switchyard/testkit/platform';

export const triggersOn = (platform: TestPlatform): Triggers =>
  createTriggers({ ...platform, publisher: platform.bus.publisher() });

/** A rule as it is stored. */
export function aRule(fields: Partial<RuleRecord> = {}): RuleRecord {
  const { name = 'r', pack = 'default' } = fields;
  return {
    _id: newId(),
    ref: `${pack}.${name}`,
    uid: `rule:${pack}:${name}`,
    name,
    pack,
    enabled: true,
    type: { ref: 'standard', parameters: {} },
    trigger: 'core.st2.webhook',
    criteria: {},
    action: { ref: 'core.noop', parameters: {} },
    context: {},
    tags: [],
    metadata_file: '',
    ...fields,
  };
}
