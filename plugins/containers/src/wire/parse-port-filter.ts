import { invalidFilter } from '@gantry/core/http';

/** Ports that a `publish` or `expose` filter means. */
interface PortFilter {
  readonly first: number;
  readonly last: number;
  readonly protocol: string;
}

/** Reads `80`, `80/udp` or `8000-8010/tcp`. @throws EngineError `invalid-argument` ("Invalid filter 'publish=x'"). */
export function parsePortFilter(key: string, text: string): PortFilter {
  const [, first, last = first, protocol = 'tcp'] =
    /^(\d{1,5})(?:-(\d{1,5}))?(?:\/(tcp|udp|sctp))?$/.exec(text.toLowerCase()) ?? [];
  const range = { first: Number(first), last: Number(last), protocol };
  if (first === undefined || range.first < 1 || range.last > 65535 || range.last < range.first) {
    throw invalidFilter(key, text);
  }
  return range;
}

export const matchesPort = (filter: PortFilter, port: number, protocol: string): boolean =>
  protocol === filter.protocol && port >= filter.first && port <= filter.last;
