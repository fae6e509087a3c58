import { randomBytes } from 'node:crypto';

/** 125 random bits in 25 letters and digits, as ids of a swarm's objects have. */
export function newId(): string {
  const number = BigInt(`0x${randomBytes(17).toString('hex')}`);
  return number.toString(36).padStart(27, '0').slice(-25);
}
