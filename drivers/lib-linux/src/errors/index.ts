export { isErrno, LinuxError, type LinuxErrorFacts } from './linux-error.js';
