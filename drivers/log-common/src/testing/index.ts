export { type Certificate, selfSigned } from './self-signed.js';
export { type StandIn, standInHttp, standInStream, standInUdp } from './stand-ins.js';
