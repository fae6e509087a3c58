/** ISO 8601; fractions of a second and zone offsets are accepted, too. */
const form = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** Parses `YYYY-MM-DDTHH:MM:SSZ` to milliseconds; undefined for any other text and for dates that do not exist. */
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
