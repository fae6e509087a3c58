/** Removes credentials from program output: known ones in each of their encodings, others by their context. */
export function redact(text: string, secrets: readonly string[]): string {
  const encodings = secrets
    // Shorter ones occur in ordinary words.
    .filter((secret) => secret.length > 2)
    .flatMap((secret) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
    .sort((a, b) => b.length - a.length);
  let clean = text;
  for (const encoding of encodings) clean = clean.replaceAll(encoding, '***');
  return clean.replace(/:\/\/[^/@\s'"]+@/g, '://').replace(/(authorization: *\w+) +\S+/gi, '$1 ***');
}
