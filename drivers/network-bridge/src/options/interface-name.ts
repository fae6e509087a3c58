/** What the kernel takes as the name of an interface, and nftables without quotes around its wildcard. */
export const isInterfaceName = (text: string): boolean =>
  /^[^\s/:"*\\]+$/.test(text) && Buffer.byteLength(text) <= 15 && text !== '.' && text !== '..';
