#!/usr/bin/env node
import { runServiceMain } from '@switchyard/assembly/service-main';
import { timersEntry } from './assemble';

runServiceMain(timersEntry);
