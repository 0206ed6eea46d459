import { STATUSES } from '@switchyard/model';
import { createMetrics, metricTable, type MetricName } from '@switchyard/telemetry';
import { loadConfig } from '@switchyard/config';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { labelsOf, rowOf } from '../../libs/telemetry/src/metrics/metric-table';
import { samplesOf } from '../../libs/telemetry/test/metrics/prometheus-samples';
import { labelsOfResult, metricsIn } from './promql';

const ROOT = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly w: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}
interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

const { panels } = JSON.parse(read('deploy/grafana/switchyard.json')) as { panels: Panel[] };
const rules = parse(read('deploy/prometheus/switchyard.rules.yaml')) as { groups: { name: string; rules: Alert[] }[] };
const alerts = rules.groups.flatMap((group) => group.rules);
const page = read('docs/metrics.md');

const expressions: [where: string, expression: string][] = [
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }): [string, string] => [`panel ${title}`, expr.replaceAll('$__rate_interval', '5m')]),
  ),
  ...alerts.map(({ alert, expr }): [string, string] => [alert, expr]),
];

/** Added by Prometheus to each series. */
const OF_TARGETS = ['instance', 'job'];

/** The labels of each series that a process exports, by name. */
async function exported(): Promise<Map<string, readonly string[]>> {
  const { config } = loadConfig({ environment: {} });
  const metrics = createMetrics(config.metrics, { debug: () => undefined, warn: () => undefined });
  const text = await metrics.page.text();
  const labels = new Map<string, readonly string[]>([['up', []]]);
  const rows = new Map(
    (Object.keys(metricTable) as MetricName[]).map((name) => [rowOf(name).prometheus, labelsOf(name)]),
  );
  for (const { name, labels: given } of samplesOf(text)) labels.set(name, Object.keys(given));
  for (const [, name = '', kind] of text.matchAll(/^# TYPE (\S+) (\w+)$/gm)) {
    const own = rows.get(name);
    if (own === undefined) continue;
    if (kind !== 'histogram') labels.set(name, own);
    else
      for (const part of ['_bucket', '_sum', '_count'])
        labels.set(name + part, part === '_bucket' ? [...own, 'le'] : own);
  }
  return labels;
}

describe('the dashboard and the alert rules', () => {
  it('use metrics and labels that a process exports', async () => {
    const known = await exported();
    const wrong = expressions.flatMap(([where, expression]) =>
      metricsIn(expression).flatMap(({ name, labels, statuses }) => {
        const own = known.get(name);
        if (!own) return [`${where}: ${name}`];
        const strange = [...labels].filter((label) => ![...own, ...OF_TARGETS].includes(label));
        const values = statuses.filter((status) => !(STATUSES as readonly string[]).includes(status));
        return [...strange, ...values].map((each) => `${where}: ${name} has no ${each}`);
      }),
    );
    expect(wrong).toEqual([]);
    expect(expressions.length).toBeGreaterThan(60);
  });

  it('use metrics of the system that docs/metrics.md lists', () => {
    const names = expressions.flatMap(([, expression]) => metricsIn(expression).map(({ name }) => name));
    const own = new Set(
      names.flatMap((name) => (name.startsWith('svc_') ? [name.replace(/_(bucket|count|sum)$/, '')] : [])),
    );
    expect([...own].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    expect(own.size).toBeGreaterThan(20);
  });
});

describe('metricsIn', () => {
  it('finds names, matchers and groupings', () => {
    expect(metricsIn('sum by (a, le) (rate(x_bucket{b="1",status=~"failed|timeout"}[5m])) > y')).toEqual([
      expect.objectContaining({
        name: 'x_bucket',
        labels: new Set(['b', 'status', 'a', 'le']),
        statuses: ['failed', 'timeout'],
      }),
      expect.objectContaining({ name: 'y', labels: new Set() }),
    ]);
  });

  it.each(['sum(', 'rate(x[5m)', 'x ==', 'x{a=b}'])('rejects %j', (expression) => {
    expect(() => metricsIn(expression)).toThrow('invalid PromQL');
  });
});

describe('the alert rules', () => {
  it.each(alerts.map((alert): [string, Alert] => [alert.alert, alert]))('%s is complete', (name, alert) => {
    expect(name).toMatch(/^Switchyard[A-Z]\w+$/);
    expect(
      Object.keys(alert).filter((key) => !['alert', 'expr', 'for', 'labels', 'annotations'].includes(key)),
    ).toEqual([]);
    expect(['warning', 'critical']).toContain(alert.labels.severity);
    expect(alert.for ?? '1m').toMatch(/^\d+[smh]$/);
    expect(Object.values(alert.annotations).every((text) => text.endsWith('.'))).toBe(true);
    const result = labelsOfResult(alert.expr) ?? OF_TARGETS;
    const used = [...alert.annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
    expect(used.filter((label) => !result.includes(label!))).toEqual([]);
  });

  it('are described in docs/metrics.md, with what to do', () => {
    const described = [...page.matchAll(/^\| (Switchyard\w+) +\|([^|]+)\|([^|]+)\|$/gm)].map(([, name]) => name);
    expect(described).toEqual(alerts.map(({ alert }) => alert));
  });
});

it('the panels of the dashboard have ids, descriptions, and places in the grid', () => {
  const drawn = panels.filter(({ targets }) => targets);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(drawn.every(({ datasource }) => datasource?.uid === '${datasource}')).toBe(true);
  expect(drawn.filter(({ description = '' }) => description === '')).toEqual([]);
  expect(drawn.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
});
