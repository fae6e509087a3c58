export { type EmulatedHost, emulatedHosts } from './emulated-hosts.js';
