import { isErrno } from '../errors/linux-error.js';
import type { NetlinkSocket, RouteChange } from './netlink.js';

/** Sets default routes over a link by gateways, one of each family: unspecified, the route is to the link. Throws LinuxError. */
export function setDefaultRoutes(
  socket: Pick<NetlinkSocket, 'replaceRoute'>,
  link: string | number,
  gateways: readonly string[],
): void {
  for (const gateway of gateways) socket.replaceRoute({ ...defaultRouteBy(gateway), link });
}

/** Deletes them. A route that another link's has replaced is gone already. Throws LinuxError. */
export function deleteDefaultRoutes(
  socket: Pick<NetlinkSocket, 'deleteRoute'>,
  link: string | number,
  gateways: readonly string[],
): void {
  for (const gateway of gateways) {
    try {
      socket.deleteRoute({ ...defaultRouteBy(gateway), link });
    } catch (error) {
      if (!isErrno(error, 'ESRCH')) throw error;
    }
  }
}

function defaultRouteBy(gateway: string): Pick<RouteChange, 'destination' | 'gateway'> {
  if (gateway === '0.0.0.0' || gateway === '::') return { destination: `${gateway}/0` };
  return { destination: 'default', gateway };
}
