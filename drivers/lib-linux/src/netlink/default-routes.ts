import { isErrno } from '../errors/linux-error.js';
import type { NetlinkSocket } from './netlink.js';

/** Makes gateways, one of a family, the way out over a link. Throws LinuxError. */
export function setDefaultRoutes(
  socket: Pick<NetlinkSocket, 'replaceRoute'>,
  link: string | number,
  gateways: readonly string[],
): void {
  for (const gateway of gateways) socket.replaceRoute({ destination: 'default', gateway, link });
}

/** Takes them away again. One whose place another link's has taken is gone already. Throws LinuxError. */
export function deleteDefaultRoutes(
  socket: Pick<NetlinkSocket, 'deleteRoute'>,
  link: string | number,
  gateways: readonly string[],
): void {
  for (const gateway of gateways) {
    try {
      socket.deleteRoute({ destination: 'default', gateway, link });
    } catch (error) {
      if (!isErrno(error, 'ESRCH')) throw error;
    }
  }
}
