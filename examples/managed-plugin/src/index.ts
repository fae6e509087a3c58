export { buildAndPush } from './image/build.js';
export { configuration } from './image/configuration.js';
export { pushPlugin } from './image/push.js';
export { type Body, type Method, type Methods, servePlugin } from './sdk/serve-plugin.js';
