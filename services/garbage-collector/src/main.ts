#!/usr/bin/env node
import { runServiceMain } from '@switchyard/assembly/service-main';
import { garbageCollectorEntry } from './assemble';

runServiceMain(garbageCollectorEntry);
