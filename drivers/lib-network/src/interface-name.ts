/** Whether the kernel accepts the name of an interface, and nftables does not read it as a wildcard. */
export const isInterfaceName = (text: string): boolean =>
  /^[^\s/:"*\\]+$/.test(text) && Buffer.byteLength(text) <= 15 && text !== '.' && text !== '..';

/** Replaces the prefix of the engine's interface name: `eth0` becomes `net0`. Undefined: unchanged. */
export const withInterfacePrefix = (interfaceName: string, prefix: string | undefined): string =>
  prefix === undefined ? interfaceName : `${prefix}${/\d+$/.exec(interfaceName)?.[0] ?? ''}`;
