import { legacy } from '../option';

const removed = legacy('the service it configures is gone');

export const resultsTracker = { thread_pool_size: removed, query_interval: removed, logging: removed };
