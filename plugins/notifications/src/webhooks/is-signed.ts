import { createHmac, timingSafeEqual } from 'node:crypto';

/** Checks a signature, `sha256=` and the HMAC of the body in hexadecimal, in constant time. */
export function isSigned(secret: string, body: Buffer, signature: string | undefined): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const received = Buffer.from(signature ?? '');
  return received.length === expected.length && timingSafeEqual(received, expected);
}
