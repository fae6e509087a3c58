import { validationFailed } from '@gantry/hosted-api/service';
import type { SubjectFacts } from '../activity.js';

const limits = { key: 200, title: 1000, type: 100, url: 2000, latestCommentUrl: 2000, htmlUrl: 2000 } as const;

/** @throws HostedError 422 for an invalid subject, naming the field. */
export function checkSubject(subject: SubjectFacts): void {
  for (const [field, limit] of Object.entries(limits)) {
    const value = subject[field as keyof typeof limits];
    const isRequired = field === 'key' || field === 'title' || field === 'type';
    if (value === undefined && !isRequired) continue;
    if (typeof value === 'string' && value.length > 0 && value.length <= limit && !/\p{Cc}/u.test(value)) continue;
    const message = `${JSON.stringify(value)?.slice(0, 80)} is not a text of 1 to ${limit} characters`;
    throw validationFailed({ resource: 'Subject', field, code: 'invalid', message });
  }
}
