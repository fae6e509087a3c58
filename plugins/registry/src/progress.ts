/** Takes progress objects, as POST /images/create streams them. */
export type Progress = (item: object) => void;

export const status = (text: string, id?: string) => ({ status: text, ...(id !== undefined && { id }) });

/** A step of one layer without a bar. Clients want the empty `progressDetail`. */
export const step = (text: string, id: string) => ({ status: text, progressDetail: {}, id });

/** A step of one layer with the bar clients draw. */
export const bar = (text: string, id: string, current: number, total: number) => ({
  status: text,
  progressDetail: { current, total },
  progress: barText(current, total),
  id,
});

/** As clients of today draw it, 50 wide. */
export function barText(current: number, total: number): string {
  const numbers = `${human(current).padStart(8)}${total > 0 && current <= total ? `/${human(total)}` : ''}`;
  if (total <= 0) return numbers;
  const filled = Math.min(50, Math.floor(Math.floor((current / total) * 100) / 2));
  return `[${'='.repeat(filled)}>${' '.repeat(50 - filled)}] ${numbers}`;
}

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Four significant digits, powers of a thousand: `1.234MB`. */
export function human(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${Number(value.toPrecision(4))}${units[unit]}`;
}

/** Passes on at most one report each 100 ms, and the last. */
export function throttled(report: (current: number) => void): (current: number, isLast?: boolean) => void {
  let last = 0;
  return (current, isLast = false) => {
    const now = performance.now();
    if (!isLast && now - last < 100) return;
    last = now;
    report(current);
  };
}

/** Twelve digits, as people see ids. */
export const shortId = (digest: string): string => digest.replace(/^sha256:/, '').slice(0, 12);
