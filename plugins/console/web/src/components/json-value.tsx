import { Text } from './text';

const openDepth = 2;
const shownEntries = 500;

export function JsonValue({ name, value, depth }: { name?: string | undefined; value: unknown; depth: number }) {
  const label =
    name === undefined ? null : (
      <>
        <span class="json-name">
          <Text value={name} limit={200} />
        </span>
        :{' '}
      </>
    );
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    return (
      <div class="json-leaf">
        {label}
        <span class={`json-${value === null ? 'null' : typeof value}`}>
          <Text value={JSON.stringify(value) ?? ''} limit={2_000} />
        </span>
      </div>
    );
  }
  const entries = Object.entries(value);
  const [start, end] = Array.isArray(value) ? '[]' : '{}';
  return (
    <details open={depth < openDepth} class="json-branch">
      <summary>
        {label}
        <span class="json-null">
          {start} {entries.length} {end}
        </span>
      </summary>
      {entries.slice(0, shownEntries).map(([key, child]) => (
        <JsonValue key={key} name={key} value={child} depth={depth + 1} />
      ))}
      {entries.length > shownEntries && (
        <div class="json-leaf">… {entries.length - shownEntries} more: download the document</div>
      )}
    </details>
  );
}
