export { type Daemon, startDaemon } from './testing/daemon.js';
