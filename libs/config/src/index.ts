export { addresses, type Addresses } from './addresses';
export type { Config, ConfigOverrides } from './config';
export { dataLimits, expressionLimits } from './data-limits';
export { loadConfig, type ConfigSources, type LoadedConfig } from './load-config';
export { paths, type Paths } from './paths';
export type { Environment } from './read-environment';
export { sampleConfig } from './sample-config';
