import type { Route } from '@switchyard/http';
import type { ApiDependencies } from '../api-dependencies';
import { executeAliasRoute } from './execute';
import { aliasHelpRoute } from './help';
import { matchAliasRoute } from './match';
import { matchAndExecuteRoute } from './match-and-execute';
import { getAliasRoute, listAliasesRoute } from './read';
import { createAliasRoute, deleteAliasRoute, updateAliasRoute } from './write';

/** `/actionalias`, and `/aliasexecution` to run aliases. */
export const aliasRoutes = (deps: ApiDependencies): Route[] => [
  listAliasesRoute(deps),
  createAliasRoute(deps),
  matchAliasRoute(deps),
  aliasHelpRoute(deps),
  getAliasRoute(deps),
  updateAliasRoute(deps),
  deleteAliasRoute(deps),
  executeAliasRoute(deps),
  matchAndExecuteRoute(deps),
];
