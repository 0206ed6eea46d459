#!/usr/bin/env node
import { runServiceMain } from '@switchyard/assembly/service-main';
import { rulesEngineEntry } from './assemble';

runServiceMain(rulesEngineEntry);
