export { Allowance, DEFAULT_ALLOWANCE, type AllowanceLimits } from './allowance';
export * from './evaluate';
export * from './functions';
export * from './jinja';
export * from './parameters';
export * from './rules';
export { inTurns } from './turns';
export * from './yaql';
