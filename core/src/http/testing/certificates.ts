import { generateKeyPairSync, sign } from 'node:crypto';

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const size = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const bytes = (...values: number[]): Buffer => Buffer.from(values);
const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts);
const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const utcTime = (text: string): Buffer => der(0x17, Buffer.from(text));

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
const commonName = (name: string): Buffer =>
  sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from(name)))));

/** For tests: a certificate for 127.0.0.1 that signs itself, so that it serves as server, client and authority. */
export function testCertificate(name: string): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const basicConstraints = sequence(objectId('551d13'), der(0x04, sequence(der(0x01, bytes(0xff)))));
  const alternativeName = sequence(objectId('551d11'), der(0x04, sequence(der(0x87, bytes(127, 0, 0, 1)))));
  const toBeSigned = sequence(
    der(0xa0, der(0x02, bytes(2))),
    der(0x02, bytes(1)),
    ecdsaWithSha256,
    commonName(name),
    sequence(utcTime('200101000000Z'), utcTime('491231235959Z')),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(basicConstraints, alternativeName)),
  );
  const signature = der(0x03, bytes(0), sign('sha256', toBeSigned, privateKey));
  const certificate = sequence(toBeSigned, ecdsaWithSha256, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
