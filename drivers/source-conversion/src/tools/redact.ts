/** Takes credentials out of what a program said: known ones in each of their spellings, others by where they stand. */
export function redact(text: string, secrets: readonly string[]): string {
  const spellings = secrets
    // Shorter ones are parts of every word.
    .filter((secret) => secret.length > 2)
    .flatMap((secret) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
    .sort((a, b) => b.length - a.length);
  let clean = text;
  for (const spelling of spellings) clean = clean.replaceAll(spelling, '***');
  return clean.replace(/:\/\/[^/@\s'"]+@/g, '://').replace(/(authorization: *\w+) +\S+/gi, '$1 ***');
}
