import type { LayerCompression } from '@gantry/core/contracts';

/** One tiny layer, in every form that needs a program to read. */
const base64: Readonly<Record<Exclude<LayerCompression, 'none' | 'gzip'>, string>> = {
  bzip2:
    'QlpoOTFBWSZTWbpByRwAADlbkcqQQABtBAAEbybeIAQAACAACCAAVDUnqaaNDQ2oHqM1PUGSanqaaGg9QABTii/ERYAijhrUCyRgQgLQ2fNp' +
    'yvUmKAl4OgE7Hid5G8CNELgqKbNTCqiCokvoytYmgbnfi7kinChIXSDkjgA=',
  xz:
    '/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM4Af/AFddADMaSda2OCGvAe5uBXM7wPx/lbOzuUEoSRYuc0qYZH3lKEItQYM3SlIsAT4XN3NZwU61' +
    '8cDEFpgA2atP6VKkJ04ZQk5GMb+0VebDrH383dKLdeqniIrnAAAAlDEphsannkIAAXOAEAAAAL9MHK+xxGf7AgAAAAAEWVo=',
  zstd:
    'KLUv/WQAB90CAKQDZmlsZQAwMDAwNjQ0ADAwMDMxMDA0MAAgMAB1c3RhcgAwZnJvbSBhIGNvbXByZXNzZWQgbGF5ZXIKAAsAkQf+geAoAzrA' +
    'hgC/QTIAl7dzgZd4VhAAw+EJaAG+67OM',
};

export const compressedLayer = {
  bzip2: Buffer.from(base64.bzip2, 'base64'),
  xz: Buffer.from(base64.xz, 'base64'),
  zstd: Buffer.from(base64.zstd, 'base64'),
};

export const compressedLayerDiffId = 'sha256:9fb61962a42868a9fa3b9123360e5ee038bbffa66f9e595477db19683704bff8';
