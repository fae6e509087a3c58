import { isErrno } from '@gantry/lib-linux/errors';
import { kernelNetlink } from '@gantry/lib-linux/netlink';

/** Whether the kernel has ipvlan: in the network namespace of the calling thread, where nothing stays. */
export const hasIpvlan = (): boolean =>
  kernelNetlink.use(undefined, (socket) => {
    socket.addLink({ kind: 'veth', name: 'probe0', peer: { name: 'probe1' } });
    try {
      socket.addLink({ kind: 'ipvlan', name: 'probe2', parent: 'probe0' });
      return true;
    } catch (error) {
      if (isErrno(error, 'EOPNOTSUPP', 'ENOTSUP')) return false;
      throw error;
    } finally {
      socket.deleteLink('probe0');
    }
  });
