export { buildAndPush } from './image/build-and-push.js';
export { configuration } from './image/configuration.js';
export { pushPlugin } from './image/push-plugin.js';
export { type Body, type Method, type Methods, servePlugin } from './sdk/serve-plugin.js';
