import { isMap, sortedEntries, type TemplateValue } from './template-value.js';

/** A value as `print` writes it. */
export function showValue(value: TemplateValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'number') return showFloat(value);
  if (typeof value !== 'object') return String(value);
  if (isMap(value))
    return `map[${sortedEntries(value)
      .map(([key, text]) => `${key}:${text}`)
      .join(' ')}]`;
  return `{${Object.values(value).map(showValue).join(' ')}}`;
}

/** With the fewest digits, or as many as asked for; an exponent where the number is very large or small. */
export function showFloat(value: number, precision?: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : `${value < 0 ? '-' : '+'}Inf`;
  const digits = precision === undefined ? undefined : Math.max(precision, 1) - 1;
  const [mantissa = '', power = '0'] = value.toExponential(digits).split('e');
  const significant = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
  const exponent = Number(power);
  if (exponent < -4 || exponent >= (precision ?? 6)) return withExponent(significant, exponent);
  const fraction = significant.replace(/[-.]/g, '').length - 1 - exponent;
  return value.toFixed(Math.max(fraction, 0));
}

/** The exponent has a sign and at least two digits. */
export const withExponent = (mantissa: string, exponent: number): string =>
  `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
