export { AcceleratedClock } from './accelerated-clock.js';
export { FakeHost } from './fake-host.js';
export { type Inspected, startContainers, type TestContainers } from './start-containers.js';
