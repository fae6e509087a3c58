import { Files } from '@gantry/lib-linux/files';
import { Mounts } from '@gantry/lib-linux/mounts';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { Netlink, Sysctl } from '@gantry/lib-linux/netlink';

/** The host ports that classes of this library inject; for the `requires` of packages that register them. */
export const protocolPorts = [Files, Mounts, Namespaces, Netlink, Sysctl] as const;
