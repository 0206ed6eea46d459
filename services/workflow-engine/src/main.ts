#!/usr/bin/env node
import { runServiceMain } from '@switchyard/assembly/service-main';
import { workflowEngineEntry } from './assemble';

runServiceMain(workflowEngineEntry);
