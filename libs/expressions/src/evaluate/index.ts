export { evaluate } from './evaluate';
export { withoutValues } from './failures';
export { inspectText, variablesOf, type ExpressionFinding, type VariableReference } from './inspect-text';
export { evaluateWithDatastore, type DatastoreLookup } from './evaluate-with-datastore';
export { isExpression, isWholeExpression } from './text-plan';
export { ExpressionError, Interruption, type ExpressionScope, type HostFunction, type Trail } from './scope';
export { Unread, withReads, type Read } from './with-reads';
