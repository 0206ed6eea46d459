export {
  createAssembly,
  part,
  platformOf,
  withHealth,
  type Assembly,
  type ServiceEntry,
  type ServiceGroup,
} from './assembly';
