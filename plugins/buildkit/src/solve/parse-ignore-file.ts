/** The patterns of an ignore file, in the form in which clients apply them. */
export function parseIgnoreFile(text: string): readonly string[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== '!')
    .map((line) => (line.startsWith('!') ? `!${cleaned(line.slice(1).trim())}` : cleaned(line)))
    .filter((pattern) => pattern !== '' && pattern !== '!');
}

/** Relative to the context, without a slash at the end. */
const cleaned = (pattern: string): string =>
  pattern
    .replace(/^\/+/, '')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/+$/, '');
