import { isInterfaceName } from '../interface-name.js';

/** Parses the name of a VLAN interface, such as `eth0.50`. Undefined: not one. */
export function vlanOf(parent: string): { readonly link: string; readonly id: number } | undefined {
  const [, link, digits] = /^(.+)\.(\d{1,4})$/.exec(parent) ?? [];
  const id = Number(digits);
  return link !== undefined && id >= 1 && id <= 4094 ? { link, id } : undefined;
}

/** The name of a parent interface. Undefined: not one. */
export const parseParent = (text: string): string | undefined =>
  isInterfaceName(text) && text !== 'lo' ? text : undefined;
