import { AF_INET } from '../ffi/constants.js';
import { BodyWriter, readAttributes } from './attributes.js';
import * as rt from './constants.js';
import type { RoutingRule } from './netlink.js';

/** `struct fib_rule_hdr`, all zero but for these. */
function writeHeader(body: BodyWriter, action: number): void {
  const header = body.header(12);
  header.writeUInt8(AF_INET, 0);
  header.writeUInt8(action, 7);
}

export function ruleDumpBody(): Buffer {
  const body = new BodyWriter();
  writeHeader(body, 0);
  return body.written;
}

export function ruleBody({ mark, priority, table }: RoutingRule): Buffer {
  const body = new BodyWriter();
  writeHeader(body, rt.FR_ACT_TO_TBL);
  body.u32(rt.FRA_PRIORITY, priority);
  body.u32(rt.FRA_FWMARK, mark.value);
  body.u32(rt.FRA_FWMASK, mark.mask);
  body.u32(rt.FRA_TABLE, table);
  return body.written;
}

export function readRule(bytes: Buffer): RoutingRule | undefined {
  if (bytes.readUInt8(0) !== AF_INET || bytes.readUInt8(7) !== rt.FR_ACT_TO_TBL) return undefined;
  const attributes = readAttributes(bytes.subarray(12));
  const value = attributes.get(rt.FRA_FWMARK)?.readUInt32LE();
  const mask = attributes.get(rt.FRA_FWMASK)?.readUInt32LE();
  if (value === undefined || mask === undefined) return undefined;
  return {
    priority: attributes.get(rt.FRA_PRIORITY)?.readUInt32LE() ?? 0,
    mark: { value, mask },
    table: attributes.get(rt.FRA_TABLE)?.readUInt32LE() ?? bytes.readUInt8(4),
  };
}
