#!/usr/bin/env node
import { runServiceMain } from '@switchyard/assembly/service-main';
import { notifierEntry } from './assemble';

runServiceMain(notifierEntry);
