#!/usr/bin/env node
import { runServiceMain } from '@switchyard/assembly/service-main';
import { authEntry } from './assemble';

runServiceMain(authEntry);
