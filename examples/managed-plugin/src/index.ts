export { buildAndPush } from './image/build.js';
export { type Body, type Method, type Methods, servePlugin } from './sdk/serve-plugin.js';
