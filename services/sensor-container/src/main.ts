#!/usr/bin/env node
import { runServiceMain } from '@switchyard/assembly/service-main';
import { sensorContainerEntry } from './assemble';

runServiceMain(sensorContainerEntry);
