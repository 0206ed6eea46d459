export { isTemplate, parsedTemplate, templateProblem, templateRoots } from './inspect';
export { renderNative, renderText, type Context, type RenderOptions, type TemplateFunction } from './render';
export type { ReadPath } from './syntax/names';
export { NothingToDecrypt } from './run/datastore-item';
export { DEFAULT_LIMITS, type Limits } from './run/budget';
export { MissingItem, type DatastoreKey } from './run/run';
export { JinjaError, type JinjaErrorKind } from './values/jinja-error';
