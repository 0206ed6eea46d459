export { runAllInOne, type AllInOneOptions } from './run-all-in-one';
