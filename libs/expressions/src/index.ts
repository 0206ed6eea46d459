export * from './jinja';
export * from './parameters';
