/** A keyring in binary form; gpgv reads no armour. Undefined when it is neither. */
export function keyringOf(content: Buffer): Buffer | undefined {
  const text = content.toString('latin1');
  const [, body] =
    /-----BEGIN PGP PUBLIC KEY BLOCK-----\r?\n([\s\S]*?)-----END PGP PUBLIC KEY BLOCK-----/.exec(text) ?? [];
  // Packets begin with the highest bit set.
  if (body === undefined) return ((content[0] ?? 0) & 0x80) === 0 ? undefined : content;
  const [headers = '', ...rest] = body.split(/\r?\n\r?\n/);
  const encoded = rest.length === 0 ? headers : rest.join('\n');
  return Buffer.from(encoded.replace(/^=.*$/m, ''), 'base64');
}
