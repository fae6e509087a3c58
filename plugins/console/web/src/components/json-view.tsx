import { saveBlob } from '../api/save-blob';
import { Button } from './button';
import { CopyButton } from './copy-button';
import { JsonValue } from './json-value';
import { ScrollBox } from './scrolling/scroll-box';

/** A document of the engine as a tree that folds. */
export function JsonView({ value, name }: { readonly value: unknown; readonly name: string }) {
  const text = JSON.stringify(value, undefined, 2);
  return (
    <div class="json">
      <div class="actions">
        <CopyButton value={text} what="the JSON" />
        <Button onPress={() => saveBlob(`${name}.json`, new Blob([text], { type: 'application/json' }))}>
          Download
        </Button>
      </div>
      <ScrollBox label={`${name} as JSON`} class="json-tree">
        <JsonValue value={value} depth={0} />
      </ScrollBox>
    </div>
  );
}
