export { auditHash, auditId, chainedRecord } from './chain';
export { chainCheck, newestHeads, type ChainCheck } from './chain-check';
