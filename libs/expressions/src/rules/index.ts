export { matchEvent, type EventMatch, type MatchEnv } from './match-event';
export { renderPattern } from './render-pattern';
