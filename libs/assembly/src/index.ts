export { createAssembly, part, platformOf, withHealth, type Assembly, type ServiceEntry } from './assembly';
