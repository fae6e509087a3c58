/** Injects the lines that the daemon wrote to its log last, for packages that show them. */
export interface RecentLog {
  /** JSON objects, the oldest first; none in a program that embeds the kernel without them. */
  lines(): readonly string[];
}
export const RecentLog = Symbol.for('gantry.recent-log');
