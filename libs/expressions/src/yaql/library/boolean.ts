import { define, type Overload } from '../run/overload';
import { truth } from '../values/truth';

export const booleanFunctions: readonly Overload[] = [
  define('bool', 'F', 'value:any', truth),
  define('isBoolean', 'F', 'value:any', (value: unknown) => typeof value === 'boolean'),
];
