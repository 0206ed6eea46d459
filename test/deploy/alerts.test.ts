import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { read, ROOT } from '../architecture/workspace';
import { alertCases, healthySeries, type AlertCase } from './alert-cases';
import { hasProgram } from './deployment-files';

const RULES = join(ROOT, 'deploy/prometheus/switchyard.rules.yaml');
/** All alerts that fire at all do so by then. */
const WHEN = '100m';

interface Rule {
  readonly alert: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: { readonly description: string };
}

const { groups } = parse(read('deploy/prometheus/switchyard.rules.yaml')) as { groups: { rules: Rule[] }[] };
const rules = new Map(groups.flatMap((group) => group.rules.map((rule) => [rule.alert, rule] as const)));

/** `.ci/run` builds it there. */
const PROMTOOL = (() => {
  const built = join(homedir(), '.cache/switchyard/promtool/bin/promtool');
  return spawnSync(built, ['--version']).status === 0 ? built : 'promtool';
})();
const described = hasProgram(PROMTOOL, 'checking the alert rules by it is') ? describe : describe.skip;

/** A test of promtool: the alerts that fire with these series. */
const testOf = (name: string, series: Readonly<Record<string, string>>, expected: readonly object[]) => ({
  name,
  interval: '1m',
  input_series: Object.entries(series).map(([key, values]) => ({ series: key, values })),
  alert_rule_test: expected,
});

function expectedOf({ alert, labels = {}, summary }: AlertCase): object {
  const rule = rules.get(alert);
  const annotations = { summary, description: rule?.annotations.description };
  return {
    alertname: alert,
    eval_time: WHEN,
    exp_alerts: [{ exp_labels: { ...labels, ...rule?.labels }, exp_annotations: annotations }],
  };
}

describe('the cases of the alert rules', () => {
  it('are one for each alert', () => {
    expect(alertCases.map(({ alert }) => alert)).toEqual([...rules.keys()]);
  });
});

described('promtool', () => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-promtool-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const promtool = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(PROMTOOL, words, { encoding: 'utf8', cwd: ROOT });
    return { status, output: `${stdout}${stderr}` };
  };

  it('accepts the alert rules, without a warning', () => {
    expect(promtool('check', 'rules', '--lint=all', '--lint-fatal', RULES)).toEqual({
      status: 0,
      output: expect.stringContaining(`SUCCESS: ${rules.size} rules found`),
    });
  });

  it('accepts the expressions of the dashboard', () => {
    const { panels } = JSON.parse(read('deploy/grafana/switchyard.json')) as {
      panels: { targets?: { expr: string }[] }[];
    };
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const recorded = expressions.map((expr, index) => ({
      record: `panel:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    const file = join(directory, 'panels.yaml');
    writeFileSync(file, stringify({ groups: [{ name: 'panels', rules: recorded }] }));
    expect(expressions.length).toBeGreaterThan(30);
    expect(promtool('check', 'rules', file)).toEqual({
      status: 0,
      output: expect.stringContaining(`SUCCESS: ${expressions.length} rules found`),
    });
  });

  it('finds that each alert fires in its case with this text, and none in a healthy system', () => {
    const quiet = [...rules.keys()].map((alertname) => ({ alertname, eval_time: WHEN, exp_alerts: [] }));
    const document = {
      rule_files: [RULES],
      evaluation_interval: '1m',
      fuzzy_compare: true,
      tests: [
        testOf('a healthy system', healthySeries, quiet),
        ...alertCases.map((each) => testOf(each.alert, { ...healthySeries, ...each.broken }, [expectedOf(each)])),
      ],
    };
    const file = join(directory, 'alerts.test.yaml');
    writeFileSync(file, stringify(document));
    expect(promtool('test', 'rules', file)).toEqual({ status: 0, output: expect.stringContaining('SUCCESS') });
  });
});
