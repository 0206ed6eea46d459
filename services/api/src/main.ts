#!/usr/bin/env node
import { runServiceMain } from '@switchyard/assembly/service-main';
import { apiEntry } from './assemble';

runServiceMain(apiEntry);
