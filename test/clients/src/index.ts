export { type ClientHost, startClientHost } from './testing/client-host.js';
