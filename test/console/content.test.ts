import { join } from 'node:path';
import { ROOT } from '../system/system-process';
import { automationStories } from './automation-stories';
import { describeStories } from './browser';
import { editorStories } from './editor-stories';
import { pageStories } from './page-stories';

const OPTIONS = {
  // An index that nobody serves.
  config: '[content]\nindex_url = http://127.0.0.1:1/index.json\n',
  packs: ['toolbox', 'watchtower'].map((pack) => join(ROOT, 'test/packs', pack)),
};

describeStories(
  'The content of packs in the web console',
  (siteOf) => {
    describe('The pages of rules, events, packs, inquiries and the datastore', () => pageStories(siteOf));
    describe('The pages of triggers, webhooks, timers, sensors, policies and aliases', () => automationStories(siteOf));
    describe('The workflow editor', () => editorStories(siteOf));
  },
  OPTIONS,
);
