const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
const width = 50;

/** A progress object with bytes, with the text for clients that do not draw the bar themselves. */
export const progressItem = (status: string, id: string, current: number, total: number) => ({
  status,
  progressDetail: { current, total },
  progress: barText(current, total),
  id,
});

/** `[=====>     ]  12.3MB/45.6MB`, as clients of today draw it. */
function barText(current: number, total: number): string {
  const numbers = `${humanSize(current).padStart(8)}${total > 0 && current <= total ? `/${humanSize(total)}` : ''}`;
  if (total <= 0) return numbers;
  const filled = Math.min(width, Math.floor((width * current) / total));
  return `[${'='.repeat(filled)}>${' '.repeat(width - filled)}] ${numbers}`;
}

/** Four significant digits, powers of a thousand: `1.234MB`. */
function humanSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${Number(value.toPrecision(4))}${units[unit]}`;
}
