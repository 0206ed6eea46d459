export { isTemplate, parsedTemplate, templateProblem, templateRoots } from './template';
export { renderNative, renderText, type Context, type RenderOptions, type TemplateFunction } from './render';
export type { ReadPath } from './syntax/names';
export { NothingToDecrypt } from './run/datastore-item';
export { DEFAULT_RENDER_LIMITS, type RenderLimits } from './run/budget';
export { MissingItem, type DatastoreKey } from './run/run';
export { JinjaError, type JinjaErrorKind } from './values/jinja-error';
