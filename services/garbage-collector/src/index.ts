export { createKeyRotator, type KeyRotatorDeps } from './key-rotator';
export { createGarbageCollector, type GarbageCollectorDeps } from './garbage-collector';
