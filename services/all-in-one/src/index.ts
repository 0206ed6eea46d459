export { runAllInOne, type AllInOneOptions } from './run-all-in-one';
export { runService, type ServiceOptions } from './run-service';
export { serviceNames, type ServiceName } from './service-factories';
