export type { ParametersInput } from './input';
export { readsSecret, type SecretPath } from './reads-secret';
export { readTemplates, templateReads } from './value-template';
export {
  renderFinalParameters,
  renderLiveParameters,
  renderStandalone,
  type FinalParameters,
  type LiveParameters,
} from './render';
