export * from './evaluate';
export * from './functions';
export * from './jinja';
export * from './parameters';
export * from './yaql';
