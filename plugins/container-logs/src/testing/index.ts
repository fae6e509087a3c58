export { FakeLog } from './fake-log.js';
