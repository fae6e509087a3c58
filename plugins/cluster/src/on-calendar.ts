/**
 * For tests only, which cannot wait for months: so many times shorter is everything here that otherwise takes hours or days,
 * such as the validity of certificates and the time between two rotations of keys.
 */
const timesShorter = Number(process.env.GANTRY_CALENDAR_TIMES_SHORTER ?? 1);

/**
 * Milliseconds that a duration of hours or days takes: as many, unless a test has shortened the calendar. Nothing makes one
 * longer: certificates are never valid for longer than the swarm says.
 */
export const onCalendar = (milliseconds: number, times: number = timesShorter): number =>
  times > 1 ? milliseconds / times : milliseconds;
