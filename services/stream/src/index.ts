export { createMessageFeed, type MessageFeed } from './message-feed';
export { streamRoutes, type StreamRouteDeps } from './routes';
export { createStreamService, type StreamDeps } from './stream-service';
