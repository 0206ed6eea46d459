export { guardedRegExp, type GuardedRegExp } from './guarded-regexp';
