export { type DatagramSender, Datagrams } from './datagrams.js';
export { kernelDatagrams } from './kernel-datagrams.js';
