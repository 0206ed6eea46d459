import alias from './differences/alias.json';
import criteria from './differences/criteria.json';
import jinja from './differences/jinja.json';
import workflows from './differences/workflows.json';
import yaql from './differences/yaql.json';

/** By kind and key: the deliberate differences, with the reason. docs/compatibility.md describes them. */
export const listedDifferences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  alias,
  criteria,
  jinja,
  workflows,
  yaql,
};
