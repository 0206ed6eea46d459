export { serviceNames, type ServiceName } from './entries';
export { runAllInOne, type AllInOneOptions } from './run-all-in-one';
