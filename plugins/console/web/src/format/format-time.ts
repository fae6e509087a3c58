const steps: readonly (readonly [number, string])[] = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [30, 'day'],
  [12, 'month'],
  [Number.POSITIVE_INFINITY, 'year'],
];

/** How long a number of milliseconds is, in its largest unit. */
export function formatDuration(milliseconds: number): string {
  let value = Math.max(0, Math.floor(milliseconds / 1000));
  for (const [size, name] of steps) {
    if (value < size) return `${value} ${name}${value === 1 ? '' : 's'}`;
    value = Math.floor(value / size);
  }
  return '';
}

export const formatAge = (time: number): string => `${formatDuration(Date.now() - time)} ago`;

/** Made with the first time that is shown: making it takes as long as showing a list. */
let dateFormat: Intl.DateTimeFormat | undefined;

/** The engine writes the year 1 for a time that never came. */
export function formatTime(time: string | number | undefined): string {
  if (time === undefined || time === '') return 'never';
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  if (date.getUTCFullYear() <= 1) return 'never';
  dateFormat ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
  return dateFormat.format(date);
}
