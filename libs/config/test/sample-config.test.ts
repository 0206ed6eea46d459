import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, sampleConfig } from '@switchyard/config';
import { compileSettings } from '../src/compile-settings';
import { parseConfigText } from '../src/read-file';

test('sampleConfig returns the text of deploy/svc.conf.sample', () => {
  expect(readFileSync(join(__dirname, '../../../deploy/svc.conf.sample'), 'utf8')).toBe(sampleConfig());
});

test('sampleConfig shows the defaults', () => {
  const uncommented = sampleConfig().replace(/^# (\w+ =)/gm, '$1');
  const { config, findings } = compileSettings(parseConfigText(uncommented, 'sample'), '/home/ada');
  expect(findings).toEqual([]);
  expect(config).toEqual(loadConfig({ environment: { HOME: '/home/ada' } }).config);
});
