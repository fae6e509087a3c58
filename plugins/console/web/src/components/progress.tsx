/** How far something is, with the amount in words; unknown totals show as busy. */
export function Progress({
  label,
  current,
  total,
}: {
  label: string;
  current?: number | undefined;
  total?: number | undefined;
}) {
  if (total === undefined || total <= 0 || current === undefined) return <progress aria-label={label} />;
  return <progress aria-label={label} max={total} value={Math.min(current, total)} />;
}
