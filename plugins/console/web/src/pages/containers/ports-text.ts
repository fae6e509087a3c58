import type { PortSummary } from '../../api/container-types';

/** Published ports first, one entry for both families of addresses. */
export function portsText(ports: readonly PortSummary[]): string {
  const texts = ports.map(({ IP, PrivatePort, PublicPort, Type }) => {
    if (PublicPort === undefined) return `${PrivatePort}/${Type}`;
    const address = IP === undefined || IP === '0.0.0.0' || IP === '::' ? '' : `${IP.includes(':') ? `[${IP}]` : IP}:`;
    return `${address}${PublicPort}→${PrivatePort}/${Type}`;
  });
  return [...new Set(texts)].sort((a, b) => Number(b.includes('→')) - Number(a.includes('→'))).join(', ');
}
