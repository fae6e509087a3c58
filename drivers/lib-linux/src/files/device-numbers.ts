/** The number that the C library makes of a device's two. */
export function deviceNumber(major: number, minor: number): bigint {
  const [high, low] = [BigInt(major), BigInt(minor)];
  return ((high & 0xfff_ff000n) << 32n) | ((high & 0xfffn) << 8n) | ((low & 0xfff_fff00n) << 12n) | (low & 0xffn);
}

/** Major and minor number of a device, from the `rdev` of `stat`. */
export function deviceNumbers(device: bigint | number): { readonly major: number; readonly minor: number } {
  const bits = BigInt(device);
  return {
    major: Number(((bits >> 8n) & 0xfffn) | ((bits >> 32n) & 0xfffff000n)),
    minor: Number((bits & 0xffn) | ((bits >> 12n) & 0xffffff00n)),
  };
}
