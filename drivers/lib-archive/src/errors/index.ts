export { abortError, throwIfAborted } from './abort.js';
export { codeOf, kindOfErrno } from './errno-kind.js';
