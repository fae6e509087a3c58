const mark = '[redacted]';

/** Names of settings whose values are secrets, or may hold some. */
const secretName =
  /pass|secret|token|credential|auth(?!enticated)|private|api_?key|^key$|cookie|^env(ironment)?$|headers?$/i;
/** User and password in an address. */
const addressSecret = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi;
/** `password=x` and the like in texts. */
const textSecret = /\b([\w-]*(?:password|passwd|secret|token|api[_-]?key))(["']?\s*[=:]\s*["']?)[^\s"',;&}]+/gi;

/** A text without passwords in addresses and in pairs of name and value. */
export const redactText = (text: string): string =>
  text.replace(addressSecret, `$1${mark}@`).replace(textSecret, `$1$2${mark}`);

/** A value of JSON without what is, or may be, secret in it. Numbers, switches and what is absent stay. */
export function redact(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return secretName.test(name) ? mark : redactText(value);
  if (Array.isArray(value)) return value.map((each) => redact(each, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, redact(each, secretName.test(name) ? name : key)]),
  );
}
