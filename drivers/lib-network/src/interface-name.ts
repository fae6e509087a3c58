/** What the kernel takes as the name of an interface, and nftables without quotes around its wildcard. */
export const isInterfaceName = (text: string): boolean =>
  /^[^\s/:"*\\]+$/.test(text) && Buffer.byteLength(text) <= 15 && text !== '.' && text !== '..';

/** The engine counts, a network or its driver may have its own word: `eth0` becomes `net0`. Undefined: it has none. */
export const withInterfacePrefix = (interfaceName: string, prefix: string | undefined): string =>
  prefix === undefined ? interfaceName : `${prefix}${/\d+$/.exec(interfaceName)?.[0] ?? ''}`;
