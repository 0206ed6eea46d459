export type { ParametersInput } from './input';
export { renderFinalParameters, renderLiveParameters, type FinalParameters, type LiveParameters } from './render';
