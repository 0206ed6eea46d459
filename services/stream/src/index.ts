export { createMessageFeed, type MessageFeed } from './message-feed';
export { streamMounts, streamRoutes, type StreamRouteDeps } from './routes';
export { createStreamService, type StreamDeps } from './stream-service';
