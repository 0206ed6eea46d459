export { createRulesEngine, type RulesEngineDeps } from './rules-engine';
