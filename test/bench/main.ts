// `npm run bench -- [--target embedded|servers] [--runners N] [--grouping each|small] [--scenario NAME|all] [--scale N] [--stored N]
// [--against COMMIT|--against-url URL] [--pairs N]`. docs/performance.md lists the scenarios.
import { exitWhenTold } from '../system/ends-with-us';
import { readArguments } from './arguments';
import { catalogueScenario } from './catalogue-scenario';
import { conductorScenario } from './conductor-scenario';
import { JINJA_EXAMPLES, YAQL_EXAMPLES } from './expression-examples';
import { expressionScenario } from './expression-scenario';
import { memory } from './measure';
import { resultScenario } from './result-scenario';
import { rolesScenario } from './roles-scenario';
import { rulesScenario } from './rules-scenario';
import { runAgainst, runOnSystem } from './run-on-systems';
import { SYSTEM_SCENARIOS } from './system-scenarios';
import { cancelNestedScenario, cancelScenario, takeOverScenario } from './tree-scenario';

const PURE_SCENARIOS: Readonly<Record<string, (scale: number) => void>> = {
  conductor: conductorScenario,
  yaql: (scale) => expressionScenario(YAQL_EXAMPLES, scale),
  jinja: (scale) => expressionScenario(JINJA_EXAMPLES, scale),
};

const SERVICE_SCENARIOS: Readonly<Record<string, (target: 'embedded' | 'servers', scale: number) => Promise<void>>> = {
  rules: rulesScenario,
  result: resultScenario,
  cancel: cancelScenario,
  nested: cancelNestedScenario,
  takeover: takeOverScenario,
  catalogue: catalogueScenario,
  roles: rolesScenario,
};

async function main(): Promise<void> {
  const known = {
    pure: Object.keys(PURE_SCENARIOS),
    service: Object.keys(SERVICE_SCENARIOS),
    system: SYSTEM_SCENARIOS,
  };
  const chosen = readArguments(process.argv.slice(2), known);
  const { target, pure, service, system, scale, against } = chosen;
  if (against) return runAgainst(chosen, against, process.env);
  if (target === 'servers') console.log(`Left out, since they run without any system: ${known.pure.join(', ')}.`);
  if (system.length > 0) await runOnSystem(chosen);
  for (const name of service) {
    console.log(`\n${name}`);
    await SERVICE_SCENARIOS[name]?.(target, scale);
  }
  for (const name of pure) {
    console.log(`\n${name}`);
    PURE_SCENARIOS[name]?.(scale);
  }
  if (pure.length > 0) console.log(`peak memory of the bench itself: ${memory(process.pid).peakMb} MB`);
}

exitWhenTold();
main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
