export * from './check-policy';
export * from './limit';
export * from './policy-types';
