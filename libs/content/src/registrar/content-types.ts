import { fault } from '@switchyard/base';
import { pythonRepr } from '@switchyard/model';
import { loaders } from '../loaders/loader-table';
import type { Loader } from '../loaders/loader';

/** Valid values for `types` of a registration. */
export const CONTENT_TYPES: readonly string[] = [
  'all',
  'runner',
  'runners',
  'rule_type',
  'rule_types',
  'policy_type',
  'policy_types',
  ...loaders.flatMap(({ type, plural }) => [type, plural]),
  'config',
  'configs',
];

export interface ChosenTypes {
  runners: boolean;
  ruleTypes: boolean;
  policyTypes: boolean;
  loaders: readonly Loader[];
  configs: boolean;
  /** All of the above. */
  everything: boolean;
}

/**
 * Decides what to register. @param types values of `CONTENT_TYPES`. Default: everything
 * @throws Fault `content.unknown-type`
 */
export function chooseTypes(types: readonly string[] = ['all']): ChosenTypes {
  const unknown = types.find((type) => !CONTENT_TYPES.includes(type));
  if (unknown !== undefined) {
    throw fault('content.unknown-type', { type: pythonRepr(unknown), types: pythonRepr([...CONTENT_TYPES]) });
  }
  const all = types.includes('all');
  const chosen = loaders.filter(({ type, plural }) => all || types.includes(type) || types.includes(plural));
  const alsoAsked = (type: string, plural: string): boolean =>
    all || types.includes(type) || types.includes(plural) || chosen.some(({ implies }) => implies.includes(plural));
  return {
    runners: alsoAsked('runner', 'runners'),
    ruleTypes: alsoAsked('rule_type', 'rule_types'),
    policyTypes: alsoAsked('policy_type', 'policy_types'),
    loaders: chosen,
    configs: alsoAsked('config', 'configs'),
    everything: all,
  };
}
