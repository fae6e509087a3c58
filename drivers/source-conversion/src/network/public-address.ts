/** Whether an IP address (v4 or v6) is one of the Internet: none of a host, a link, a site, a multicast group. */
export function isPublicAddress(_address: string): boolean {
  return false;
}
