export { inTurns } from './in-turns';
