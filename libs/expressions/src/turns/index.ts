export { inTurns } from './turns';
