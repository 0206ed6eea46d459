export { checkConfigSchema } from './check-config-schema';
