/** ISO 8601 as the interface has it; fractions of a second and offsets of zones are taken, too. */
const form = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** Reads `YYYY-MM-DDTHH:MM:SSZ`, in milliseconds; undefined for anything else, dates that do not exist included. */
export function parseIsoMoment(text: string): number | undefined {
  const [, year, month, day, hour, minute, second] = form.exec(text) ?? [];
  if (year === undefined) return undefined;
  const moment = Date.parse(text);
  // A day that does not exist rolls over into the next month instead of being refused.
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  const exists = Number(day) <= days && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  return exists && !Number.isNaN(moment) ? moment : undefined;
}

/** `2026-11-21T18:20:00Z`: whole seconds, as the interface writes all times. */
export const isoSecond = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
