import { Library } from '../run/library';
import { booleanFunctions } from './boolean';
import { branchingFunctions } from './branching';
import { collectionFunctions } from './collections';
import { operatorFunctions } from './operators-by-name';
import { datetimeFunctions } from './datetime';
import { mathFunctions } from './math';
import { queryFunctions } from './queries';
import { regexFunctions } from './regex';
import { stringFunctions } from './strings';
import { systemFunctions } from './system';

/** The standard library, one module a file. */
export const library = new Library([
  ...operatorFunctions,
  ...booleanFunctions,
  ...branchingFunctions,
  ...collectionFunctions,
  ...queryFunctions,
  ...mathFunctions,
  ...stringFunctions,
  ...regexFunctions,
  ...datetimeFunctions,
  ...systemFunctions,
]);
