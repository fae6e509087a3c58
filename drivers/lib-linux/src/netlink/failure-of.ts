import { LinuxError } from '../errors/linux-error.js';
import { attributeText, readAttributes } from './attributes.js';
import { NLM_F_ACK_TLVS, NLM_F_CAPPED, NLMSGERR_ATTR_MSG } from './constants.js';

const headerBytes = 16;

/** The failure that an acknowledgement carries; undefined for success. */
export function failureOf(flags: number, body: Buffer, about: string | undefined): LinuxError | undefined {
  const error = body.readInt32LE(0);
  if (error === 0) return undefined;
  const detail = (flags & NLM_F_ACK_TLVS) === 0 ? undefined : reasonOf(flags, body);
  return new LinuxError(-error, 'netlink', {
    ...(about !== undefined && { path: about }),
    ...(detail !== undefined && { detail }),
  });
}

function reasonOf(flags: number, body: Buffer): string | undefined {
  const echoed = (flags & NLM_F_CAPPED) !== 0 ? headerBytes : body.readUInt32LE(4);
  return attributeText(readAttributes(body.subarray(4 + ((echoed + 3) & ~3))).get(NLMSGERR_ATTR_MSG));
}
