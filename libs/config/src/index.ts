export { dataLimits, expressionLimits, type Config, type ConfigOverrides } from './config';
export type { ConfigFinding } from './config-finding';
export { explainConfig, explainUnknownName, type ExplainedConfig, type ExplainedOption } from './explain-config';
export { loadConfig, type ConfigSources, type LoadedConfig } from './load-config';
export { loggingFileOf, type LoggingHandler } from './logging-file';
export { addresses, paths, type Addresses, type Paths } from './locations';
export {
  packageInstallation,
  type PackageInstallation,
  pythonInstallation,
  type PythonInstallation,
  type SharedEnvironmentFacts,
} from './python-installation';
export { reloadedConfig, type ReloadedConfig } from './reload';
export { sampleConfig } from './sample-config';
export type { Environment } from './settings';
