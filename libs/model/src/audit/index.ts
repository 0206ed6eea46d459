export { auditHash, auditId, chainedRecord } from './chain';
export { chainCheck, type ChainCheck } from './chain-check';
