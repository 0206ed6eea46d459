export { createGarbageCollector, type GarbageCollectorDeps } from './garbage-collector';
