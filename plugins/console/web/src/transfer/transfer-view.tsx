import { useEffect, useRef } from 'preact/hooks';
import { Progress } from '../components/progress';
import { ScrollBox } from '../components/scrolling/scroll-box';
import { SimpleTable } from '../components/simple-table';
import { Text } from '../components/text';
import { formatBytes } from '../format/format-bytes';
import type { LayerProgress, TransferProgress } from './transfer-progress';

/** A row for each layer, and what else the engine writes meanwhile. */
export function TransferView({ progress }: { readonly progress: TransferProgress }) {
  const end = useRef<HTMLSpanElement>(null);
  const { layers, text } = progress;
  // Each new line moves the end.
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [text]);
  return (
    <>
      {layers.length > 0 && (
        <SimpleTable
          label="Layers"
          columns={['Layer', 'State', 'Progress']}
          empty=""
          rows={layers.map((layer) => ({
            key: layer.id,
            cells: [<Text key="id" value={layer.id} limit={40} />, layer.status, <LayerBar key="bar" layer={layer} />],
          }))}
        />
      )}
      {text !== '' && (
        <ScrollBox label="Output" class="steps">
          {text}
          <span ref={end} />
        </ScrollBox>
      )}
    </>
  );
}

function LayerBar({ layer }: { readonly layer: LayerProgress }) {
  const { id, status, current, total } = layer;
  if (/complete|exists|pushed/i.test(status)) return <Progress label={`Progress of ${id}`} current={1} total={1} />;
  if (current === undefined) return null;
  return (
    <>
      <Progress label={`Progress of ${id}`} current={current} total={total} />
      <small>
        {formatBytes(current)}
        {total !== undefined && total > 0 && ` of ${formatBytes(total)}`}
      </small>
    </>
  );
}
