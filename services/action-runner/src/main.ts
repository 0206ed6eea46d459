#!/usr/bin/env node
import { runServiceMain } from '@switchyard/assembly/service-main';
import { actionRunnerEntry } from './assemble';

runServiceMain(actionRunnerEntry);
