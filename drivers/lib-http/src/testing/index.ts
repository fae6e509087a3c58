export { startProxy, type TestProxy } from './start-proxy.js';
