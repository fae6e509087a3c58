import type { Socket } from 'node:net';
import { tcpState } from './tcp-diagnostics.js';

/**
 * Whether the other end of a connection has closed it. A socket that is not read from does not notice. False also when the kernel
 * does not say.
 */
export const isClosedByPeer = (socket: Socket): boolean => tcpState(socket)?.isClosedByPeer === true;
