export * from './jinja';
