import { actionLoader } from './action-loader';
import { aliasLoader } from './alias-loader';
import type { Loader } from './loader';
import { policyLoader } from './policy-loader';
import { ruleLoader } from './rule-loader';
import { sensorLoader } from './sensor-loader';
import { triggerLoader } from './trigger-loader';

/** Every kind of content, in the order of registration. A new kind is one more row. */
export const loaders: readonly Loader[] = [
  triggerLoader,
  sensorLoader,
  actionLoader,
  ruleLoader,
  aliasLoader,
  policyLoader,
];
