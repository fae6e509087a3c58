import type { Delivery, EventSource, NotificationEvent } from '../../activity.js';
import { concern, conversation } from '../../payloads/conversation.js';
import { Payload, present } from '../../payloads/payload.js';

/** The actions that raise an alert, by event. */
const raisingActions: Readonly<Record<string, readonly string[]>> = {
  repository_vulnerability_alert: ['create', 'reopen'],
  dependabot_alert: ['created', 'reopened', 'reintroduced'],
  code_scanning_alert: ['created', 'reopened', 'appeared_in_branch'],
  secret_scanning_alert: ['created', 'reopened'],
};

/** Vulnerabilities found in a repository: for its owner and its watchers. */
export const securityAlerts: EventSource = {
  events: Object.keys(raisingActions),
  read(delivery: Delivery): readonly NotificationEvent[] {
    const payload = new Payload(delivery.payload);
    if (!raisingActions[delivery.event]?.includes(payload.text('action') ?? '')) return [];
    const alert = payload.at('alert');
    const number = alert.number('number') ?? alert.number('id') ?? 0;
    const title =
      alert.text('security_advisory.summary') ??
      alert.text('rule.description') ??
      alert.text('affected_package_name') ??
      alert.text('secret_type') ??
      'A vulnerability was found';
    return conversation(delivery, {
      subject: {
        key: `${delivery.event}/${number}`,
        title: title.slice(0, 1000).replace(/\p{Cc}/gu, ' '),
        type: 'RepositoryVulnerabilityAlert',
        ...present({ url: alert.address('url'), htmlUrl: alert.address('html_url') }),
      },
      concerns: [concern(payload.login('repository.owner'), 'security_alert', true)],
      watchers: 'security_alert',
      participants: false,
    });
  },
};
