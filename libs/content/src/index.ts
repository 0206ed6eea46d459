export { checkAction, type ActionRequest, type CheckedAction, type DataFile } from './actions/check-action';
export { entryPointPath } from './actions/entry-point';
export type { ActionDraft } from './actions/inspect-action';
export { filledOutputSchema } from './actions/output-schema';
export type { RunnerType, RunnerTypes } from './actions/runner-lookup';
export { refuseSystemPack } from './actions/system-packs';
export { createConfigWriter, type ConfigWriter, type ConfigWriterDeps } from './configs/config-writer';
export { createPackConfigs, type PackConfigs } from './configs/pack-configs';
export { changeFiles, type FileChange } from './files/change-files';
export { cloneAction, type Clone } from './files/clone-action';
export { refuseLinksOut, resolveInPack } from './files/pack-path';
export { MAX_FILE_BYTES, readEntryPoint, readPackFile, readPackTexts, type PackFile } from './files/read-pack-file';
export { removeActionFiles, type ActionFiles } from './files/remove-action-files';
export { writeDataFiles } from './files/write-data-files';
export { describeFailure, type ContentFailure } from './loaders/content-failure';
export type { ProxySettings } from './pack-index/fetch-index';
export type { IndexEntry, IndexStatus } from './pack-index/index-status';
export { createPackIndex, type MergedIndex, type PackIndex } from './pack-index/pack-index';
export { searchIndex } from './pack-index/search-index';
export { findPackDirectory, findPacks, requireActionsPack, requirePack, type PackPlace } from './packs/find-packs';
export { listPackFiles } from './packs/list-pack-files';
export { COMPATIBLE_VERSION, isInRange } from './packs/stackstorm-version';
export { CONTENT_TYPES } from './registrar/content-types';
export {
  registerContent,
  type ContentLogger,
  type Registration,
  type RegistrationReport,
} from './registrar/register-content';
export { registerRunnerTypes } from './registrar/register-runner-types';
export { removePack, type PackRemoval, type RemovedPack } from './removal/remove-pack';
export { removeSensor } from './removal/remove-sensor';
export { PROXY_NAMES, proxyEnvironment } from './virtualenvs/proxy-environment';
export { setUpVirtualenv, type SetUpOptions, type SetUpOutcome } from './virtualenvs/set-up-virtualenv';
export type { VirtualenvSettings } from './virtualenvs/virtualenv-settings';
export { readYaml, type YamlContent, type YamlProblem } from './yaml/read-yaml';
