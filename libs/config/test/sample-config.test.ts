import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, sampleConfig } from '@switchyard/config';
import { compileSettings } from '../src/compile-settings';
import { parseConfigText } from '../src/read-file';

test('deploy/svc.conf.sample is the generated sample', () => {
  expect(readFileSync(join(__dirname, '../../../deploy/svc.conf.sample'), 'utf8')).toBe(sampleConfig());
});

test('the sample with every option uncommented gives the defaults', () => {
  const uncommented = sampleConfig().replace(/^# (\w+ =)/gm, '$1');
  const { config, warnings } = compileSettings(parseConfigText(uncommented, 'sample'), '/home/ada');
  expect(warnings).toEqual([]);
  expect(config).toEqual(loadConfig({ environment: { HOME: '/home/ada' } }).config);
});
