export { plainContainer } from './plain-container.js';
export { type Certificate, selfSigned } from './self-signed.js';
export { type StandIn, standInHttp, standInStream, standInUdp } from './stand-ins.js';
export { withOptions } from './with-options.js';
