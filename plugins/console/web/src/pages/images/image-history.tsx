import { imagePath } from '../../api/image-types';
import { get } from '../../api/request';
import { SimpleTable } from '../../components/simple-table';
import { Loaded } from '../../components/status-views';
import { Text } from '../../components/text';
import { useResource } from '../../events/use-resource';
import { formatBytes } from '../../format/format-bytes';
import { formatTime } from '../../format/format-time';

interface HistoryEntry {
  readonly Id: string;
  readonly Created: number;
  readonly CreatedBy: string;
  readonly Size: number;
  readonly Comment: string;
}

export function ImageHistory({ id }: { readonly id: string }) {
  const read = (signal: AbortSignal) => get<HistoryEntry[]>(`${imagePath(id)}/history`, undefined, signal);
  const [history, reload] = useResource(read, [id], []);
  return (
    <Loaded what="the history" resource={history} reload={reload}>
      {(entries) => (
        <SimpleTable
          label="History of the image"
          columns={['Step', 'Size', 'Created', 'Comment']}
          empty="The image has no history."
          rows={entries.map((entry, at) => ({
            key: String(at),
            cells: [
              <code key="step">
                <Text value={entry.CreatedBy || '(unknown)'} limit={600} />
              </code>,
              formatBytes(entry.Size),
              formatTime(entry.Created * 1000),
              <Text key="comment" value={entry.Comment} />,
            ],
          }))}
        />
      )}
    </Loaded>
  );
}
