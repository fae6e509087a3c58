import type { Activity, Concern, Delivery, Happening, SubjectFacts } from '../activity.js';
import type { Reason } from '../reasons.js';
import { mentionsIn } from './mentions.js';
import { Payload, present, repositoryOf } from './payload.js';

export interface Conversation {
  readonly subject: SubjectFacts;
  /** What it makes of the sender. */
  readonly actorTakesPartAs?: Reason;
  /** Text in which people are addressed. */
  readonly body?: string | undefined;
  readonly concerns?: readonly (Concern | undefined)[];
  readonly teams?: Activity['teams'];
  readonly watchers?: Reason | false;
  readonly participants?: boolean;
}

/** One activity of the sender of a delivery, with everybody its text mentions. */
export function conversation(delivery: Delivery, told: Conversation): readonly Happening[] {
  const payload = new Payload(delivery.payload);
  const repository = repositoryOf(payload, delivery.hook);
  if (repository === undefined) return [];
  const { logins, teams } = mentionsIn(told.body);
  const mentioned = logins.map((login): Concern => ({ login, reason: 'mention' }));
  return [
    {
      kind: 'activity',
      repository,
      subject: told.subject,
      concerns: [...(told.concerns ?? []).filter((concern) => concern !== undefined), ...mentioned],
      teams: [...(told.teams ?? []), ...teams.map((team) => ({ team, reason: 'team_mention' as const }))],
      ...present({
        actor: payload.login('sender'),
        actorTakesPartAs: told.actorTakesPartAs,
        watchers: told.watchers,
        participants: told.participants,
      }),
    },
  ];
}

/** Undefined without a login. */
export const concern = (login: string | undefined, reason: Reason, self = false): Concern | undefined =>
  login === undefined ? undefined : { login, reason, ...(self && { self }) };

/** An issue or a pull request: one thread, whichever of the two a host calls it. */
export function issueSubject(item: Payload, type: 'Issue' | 'PullRequest', comment?: Payload): SubjectFacts {
  const number = item.number('number') ?? 0;
  return {
    key: `issues/${number}`,
    title: (item.text('title') ?? `#${number}`).slice(0, 1000).replace(/\p{Cc}/gu, ' '),
    type,
    ...present({
      url: item.address('url'),
      latestCommentUrl: comment?.address('url') ?? item.address('url'),
      htmlUrl: comment?.address('html_url') ?? item.address('html_url'),
    }),
  };
}
