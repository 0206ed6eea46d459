#!/usr/bin/env node
import { runServiceMain } from '@switchyard/assembly/service-main';
import { streamEntry } from './assemble';

runServiceMain(streamEntry);
