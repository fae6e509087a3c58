import type { EventSource } from '../../activity.js';
import { comments, commitComments } from './comments.js';
import { discussions } from './discussions.js';
import { issues } from './issues.js';
import { members, teams } from './people.js';
import { pullRequests, reviews } from './pull-requests.js';
import { releases } from './releases.js';
import { securityAlerts } from './security-alerts.js';
import { workflowRuns } from './workflow-runs.js';

/** The sources of this plugin; others are added by `addSource`. */
export const defaultSources: readonly EventSource[] = [
  issues,
  comments,
  commitComments,
  pullRequests,
  reviews,
  discussions,
  releases,
  workflowRuns,
  securityAlerts,
  members,
  teams,
];
