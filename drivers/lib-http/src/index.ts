export { type Download, download } from './download.js';
export { proxyFor, readEnvironment } from './proxy-for.js';
export { sendRequest } from './send-request.js';
