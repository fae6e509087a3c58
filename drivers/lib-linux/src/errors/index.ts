export { errnoName, errnoNumber, errnoText, isErrno, LinuxError, type LinuxErrorFacts } from './linux-error.js';
