import { describeStories } from './browser';
import { historyStories } from './history-stories';
import { overviewStories } from './overview-stories';
import { statusStories } from './status-stories';
import { workflowStories } from './workflow-stories';

// In this order: the overview begins empty, and the last story of a workflow restarts the system.
describeStories('Executions in the web console', (siteOf) => {
  describe('The overview and the comparison of runs', () => overviewStories(siteOf));
  describe('The history', () => historyStories(siteOf));
  describe('The status of the system', () => statusStories(siteOf));
  describe('A workflow', () => workflowStories(siteOf));
});
