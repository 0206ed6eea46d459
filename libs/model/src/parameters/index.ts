export { castParameters, NONE_TEXT, castTo } from './cast-parameters';
export { checkOutputSchema, checkParameterDefinitions, type DefinitionContext } from './check-definitions';
export { effectiveSchema, mergeParameters, type ActionSide, type RunnerSide } from './definitions';
export { parsePythonLiteral } from './python-literal';
export { resolveValues, splitParameters, type ResolvedValue, type SplitParameters } from './resolve-values';
export { scriptArguments } from './script-arguments';
export { immutableOverrides, refuseImmutableOverrides, refuseMissing, validateParameters } from './validate-parameters';
