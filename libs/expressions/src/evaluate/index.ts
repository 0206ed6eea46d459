export { evaluate } from './evaluate';
export { withoutValues } from './failures';
export { inspectText, variablesOf, type ExpressionFinding, type VariableReference } from './inspect-text';
export { evaluateWithDatastore, type DatastoreLookup } from './with-reads';
export { isExpression, isWholeExpression } from './pieces';
export { ExpressionError, Interruption, type ExpressionScope, type HostFunction, type Trail } from './scope';
export { Unread, withReads, type Read } from './with-reads';
