/** Takes progress objects, as POST /images/create streams them. */
export type Progress = (item: object) => void;

export const status = (text: string, id?: string) => ({ status: text, ...(id !== undefined && { id }) });

/** A step of one layer without a bar. Clients want the empty `progressDetail`. */
export const step = (text: string, id: string) => ({ status: text, progressDetail: {}, id });

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
