import { isErrno } from '../errors/linux-error.js';
import type { NetlinkSocket } from './netlink.js';

/** Sets default routes over a link by gateways, one of each family. Throws LinuxError. */
export function setDefaultRoutes(
  socket: Pick<NetlinkSocket, 'replaceRoute'>,
  link: string | number,
  gateways: readonly string[],
): void {
  for (const gateway of gateways) socket.replaceRoute({ destination: 'default', gateway, link });
}

/** Deletes them. A route that another link's has replaced is gone already. Throws LinuxError. */
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
