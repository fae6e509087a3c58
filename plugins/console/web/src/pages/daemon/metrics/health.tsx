import { ApiError } from '../../../api/api-error';
import { send } from '../../../api/request';
import { StateBadge } from '../../../components/badge';
import { Panel } from '../../../components/panel';
import { Loaded } from '../../../components/status-views';
import { Text } from '../../../components/text';
import { useResource } from '../../../events/use-resource';

interface HealthReport {
  readonly status: string;
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
}

const unavailable = 503;

async function readHealth(signal: AbortSignal): Promise<HealthReport> {
  try {
    return (await (await send('/api/health/ready', { signal })).json()) as HealthReport;
  } catch (error) {
    // The answer of an engine that is not ready says why.
    if (error instanceof ApiError && error.status === unavailable) return JSON.parse(error.message) as HealthReport;
    throw error;
  }
}

export function Health() {
  const [report, reload] = useResource(readHealth, [], ['daemon']);
  return (
    <Panel title="Health">
      <Loaded what="the health" resource={report} reload={reload}>
        {({ failures, status, warnings }) => (
          <>
            <p>
              <StateBadge state={status} />
            </p>
            {[...failures, ...warnings].length > 0 && (
              <ul>
                {[...failures, ...warnings].map((text) => (
                  <li key={text}>
                    <Text value={text} limit={500} />
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
