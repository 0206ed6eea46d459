export { extractSecrets, maskBySchema, type Extraction, type Secret } from './extract-secrets';
export { MASK, maskAddresses } from './mask';
export {
  extractOutputSecrets,
  maskOutput,
  extractParameterSecrets,
  maskParameters,
  refuseMaskedParameters,
  type ParameterExtraction,
  refuseMasks,
  restoreSecrets,
} from './mask-values';
export { SecretTexts } from './secret-texts';
export { maskNames, maskQuery, secretNames, secretNameTest } from './secret-names';
