/** The socket of a member in etcd's directory: on each engine etcd listens on its own, and the driver on those of the others. */
export const peerSocket = (member: string): string => `${member}:0`;

/** etcd reaches a peer at the socket of that name in its working directory. */
export const peerUrl = (member: string): string => `unix://${peerSocket(member)}`;
