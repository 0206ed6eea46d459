export type { ParametersInput } from './input';
export { readsSecret, type SecretPath } from './input';
export { readTemplates, templateReads } from './value-template';
export {
  renderFinalParameters,
  renderLiveParameters,
  renderStandalone,
  type RenderedParameters,
  type LiveParameters,
} from './render';
