const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** A progress object with bytes, with the text that clients show when they do not draw the bar themselves. */
export const progressItem = (status: string, id: string, current: number, total: number) => ({
  status,
  progressDetail: { current, total },
  progress: progressBar(current, total),
  id,
});

/** `[=====>     ]  12.3MB/45.6MB`, fifty wide. */
function progressBar(current: number, total: number): string {
  const filled = total > 0 ? Math.min(50, Math.floor((current / total) * 50)) : 0;
  const head = `${'='.repeat(filled)}${filled < 50 ? '>' : ''}`;
  return `[${head.padEnd(50)}] ${humanSize(current).padStart(8)}/${humanSize(total)}`;
}

/** Four digits, in powers of a thousand: `1.234MB`. */
function humanSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${Number(value.toPrecision(4))}${units[unit]}`;
}
