export * from './spec/model';
