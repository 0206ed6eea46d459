export { extractSecrets, maskBySchema, type Extraction, type Secret } from './extract-secrets';
export { MASK } from './mask';
export { extractOutputSecrets, maskOutput } from './mask-output';
export {
  extractParameterSecrets,
  maskParameters,
  refuseMaskedParameters,
  type ParameterExtraction,
} from './mask-parameters';
export { refuseMasks, restoreSecrets } from './masked-input';
export { SecretTexts } from './secret-texts';
export { maskNames, maskQuery, secretNames, secretNameTest } from './secret-names';
