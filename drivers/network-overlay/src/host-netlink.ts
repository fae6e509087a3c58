/** The netlink socket that the driver keeps open: injected by this token. */
export const HostNetlink = Symbol('netlink socket of the host');
