export {
  checkAction,
  checkActionBody,
  type ActionRequest,
  type CheckedAction,
  type DataFile,
  filledOutputSchema,
  refuseSystemPack,
} from './actions/check-action';
export { entryPointPath, refuseLinksOut, resolveInPack } from './files/pack-path';
export type { ActionDraft, RunnerSchema, RunnerSchemas } from './actions/inspect-action';
export { createConfigWriter, type ConfigWriter, type ConfigWriterDeps } from './configs/config-writer';
export { createPackConfigs, type PackConfigs } from './configs/pack-configs';
export { changeFiles, type FileChange } from './files/change-files';
export { cloneAction, type Clone } from './files/clone-action';
export { MAX_FILE_BYTES, readEntryPoint, readPackFile, readPackTexts, type PackFile } from './files/read-pack-file';
export { removeActionFiles, type ActionFiles, writeDataFiles } from './files/action-files';
export { checkConfigFile } from './loaders/load-config';
export { describeContentFailure, type ContentFailure } from './loaders/read-content-file';
export type { ProxyVariables, IndexEntry, IndexStatus } from './pack-index/fetch-index';
export { createPackIndex, type MergedIndex, type PackIndex, searchIndex } from './pack-index/pack-index';
export {
  findPackDirectory,
  findPacks,
  requireActionsPack,
  requirePack,
  type PackPlace,
  listPackFiles,
} from './packs/find-packs';
export { COMPATIBLE_VERSION, isInRange } from './packs/inspect-pack';
export { findPackChanges, type PackChanges } from './registrar/pack-fingerprint';
export { CONTENT_TYPES } from './registrar/content-types';
export {
  registerContent,
  type ContentLogger,
  type Registration,
  type RegistrationReport,
} from './registrar/register-content';
export { listedFailures } from './registrar/report-failures';
export { registerRunnerTypes } from './registrar/write-content';
export { removePack, type PackRemoval, type RemovedPack, removeSensor } from './remove-pack';
export { PROXY_NAMES, proxyEnvironment, type VirtualenvSettings } from './virtualenvs/virtualenv-settings';
export {
  createSharedEnvironmentInstaller,
  type SharedEnvironmentInstaller,
} from './virtualenvs/shared-environment-installer';
export { setUpSharedEnvironment, type SharedEnvironmentSettings } from './virtualenvs/shared-environment';
export { setUpVirtualenv, type SetUpOptions, type SetUpOutcome } from './virtualenvs/set-up-virtualenv';
export { readYaml, type YamlContent, type ContentYamlProblem } from './read-yaml';
