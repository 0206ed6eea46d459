#!/usr/bin/env node
import { runServiceMain } from '@switchyard/assembly/service-main';
import { schedulerEntry } from './assemble';

runServiceMain(schedulerEntry);
