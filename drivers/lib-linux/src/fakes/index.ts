export { FakeMounts } from './fake-mounts.js';
