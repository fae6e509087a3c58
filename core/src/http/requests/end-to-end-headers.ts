import type { IncomingHttpHeaders } from 'node:http';

/** RFC 9110, section 7.6.1, and `host`, which names the receiver of one hop. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The headers of a message that an intermediary passes on: without those of the connection that it came by, which are the
 * known ones and those that its `Connection` header lists.
 */
export function endToEndHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const listed = new Set((headers.connection ?? '').toLowerCase().split(/[\s,]+/));
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => value !== undefined && !hopByHop.has(name) && !listed.has(name)),
  );
}
