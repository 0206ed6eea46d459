import { Library } from '../run/library';
import { booleanFunctions, branchingFunctions, operatorFunctions, systemFunctions } from './system';
import { collectionFunctions } from './collections';
import { datetimeFunctions } from './datetime';
import { mathFunctions } from './math';
import { queryFunctions } from './queries';
import { regexFunctions } from './regex';
import { stringFunctions } from './strings';

/** The standard library. */
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
